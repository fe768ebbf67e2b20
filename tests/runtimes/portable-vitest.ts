// Stands in for `vitest` when the library's tests run where vitest does not: other runtimes, pages, workers.
// It holds as much of vitest as those tests use, around vitest's own `expect`. Anything else that a test
// imports is missing here and fails the bundling, so a test can never be left out in silence.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  type ExpectStatic,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from '@vitest/expect';
import * as chai from 'chai';

// Messages show whole values: no debugger can be attached to a worker of yesterday's run.
chai.config.truncateThreshold = 0;
chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

// Asymmetric matchers and custom matchers are looked up on globals, as vitest sets them up.
const globals = globalThis as typeof globalThis & { [key: symbol]: unknown };
export const expect = ((value: unknown, message?: string) => chai.expect(value, message)) as ExpectStatic;
Object.assign(expect, chai.expect, globals[ASYMMETRIC_MATCHERS_OBJECT]);
globals[GLOBAL_EXPECT] = expect;
(chai.expect as unknown as { extend(target: ExpectStatic, matchers: object): void }).extend(
  expect,
  customMatchers,
);

type Work = () => unknown;

interface Options {
  readonly timeout?: number;
}

interface Group {
  readonly path: readonly string[];
  readonly parent: Group | null;
  readonly before: Work[];
  readonly after: Work[];
}

interface Test {
  readonly name: string;
  readonly group: Group;
  readonly work: Work;
  readonly timeout: number;
}

export interface Failure {
  readonly test: string;
  readonly error: string;
}

export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}

/** Catches promises that never settle; slow machines running two browsers must not reach it. */
const DEFAULT_TIMEOUT = 30_000;

const tests: Test[] = [];
const failures: Failure[] = [];

function newGroup(parent: Group | null, name: string): Group {
  return { path: [...(parent?.path ?? []), name], parent, before: [], after: [] };
}

let current: Group | null = null;
let running = false;

/** The group that a file's top level or a `describe` is filling right now. */
function collecting(what: string): Group {
  if (running || current === null) throw new Error(`${what} must stand at the top level or in a describe`);
  return current;
}

export function describe(name: string, body: () => void): void {
  const parent = collecting('describe');
  current = newGroup(parent, name);
  try {
    const result: unknown = body();
    if (result instanceof Promise) throw new Error(`describe ${JSON.stringify(name)} must not be async`);
  } finally {
    current = parent;
  }
}

/** As vitest takes it: `it(name, work, timeout?)` or `it(name, { timeout }, work)`. */
export function it(name: string, second: Work | Options, third?: Work | number): void {
  const group = collecting('it');
  const [work, options] = typeof second === 'function' ? [second, third] : [third, second];
  if (typeof work !== 'function') throw new Error(`the test ${JSON.stringify(name)} has no body`);
  const timeout = typeof options === 'number' ? options : (options as Options | undefined)?.timeout;
  tests.push({ name, group, work, timeout: Math.max(timeout ?? 0, DEFAULT_TIMEOUT) });
}

export function beforeEach(work: Work): void {
  collecting('beforeEach').before.push(work);
}

export function afterEach(work: Work): void {
  collecting('afterEach').after.push(work);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const stack = error.stack ?? '';
  // V8 starts the stack with the message, JavaScriptCore does not.
  const text = stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${describeError(error.cause)}`;
}

function record(path: readonly string[], error: unknown): void {
  failures.push({ test: path.join(' > '), error: describeError(error) });
}

async function within(timeout: number, work: Work): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not settle within ${timeout} ms`)), timeout);
  });
  try {
    await Promise.race([work(), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** From the outermost group inward. */
function lineage(group: Group): readonly Group[] {
  return group.parent === null ? [group] : [...lineage(group.parent), group];
}

async function runTest({ group, work }: Test): Promise<void> {
  const groups = lineage(group);
  try {
    for (const { before } of groups) for (const hook of before) await hook();
    await work();
  } finally {
    for (const { after } of groups.toReversed()) for (const hook of after.toReversed()) await hook();
  }
}

/** Loads a test file; one that cannot be loaded, or holds no test, is a failure of its own. */
export async function collectFile(file: string, load: () => Promise<unknown>): Promise<void> {
  const collectedBefore = tests.length;
  current = newGroup(null, file);
  try {
    await load();
    if (tests.length === collectedBefore) throw new Error('no test was found in this file');
  } catch (error) {
    record([file], error);
  } finally {
    current = null;
  }
}

/** What was collected: for a runner that picks tests and ends those that hang. */
export interface Collected {
  readonly tests: readonly { readonly path: readonly string[]; run(): Promise<void> }[];
  /** Of files that could not be loaded. */
  readonly failures: readonly Failure[];
}

export function collected(): Collected {
  running = true;
  return {
    tests: tests.map((test) => ({ path: [...test.group.path, test.name], run: () => runTest(test) })),
    failures,
  };
}

/** Runs what was collected, in order, each test alone. */
export async function runCollected(): Promise<Report> {
  if (tests.length === 0) record(['all files'], new Error('no test was collected'));
  running = true;
  let passed = 0;
  for (const collected of tests) {
    try {
      await within(collected.timeout, () => runTest(collected));
      passed += 1;
    } catch (error) {
      record([...collected.group.path, collected.name], error);
    }
  }
  return { passed, failed: failures.length, failures };
}
