// A case of a conformance suite: a name and a function, which any test runner can take.
import { ConformanceError } from './checks.js';

/** What a test runner may pass to a test; those of vitest and node:test have `skip`. */
export interface CaseContext {
  skip?(reason: string): void;
}

export interface ConformanceCase {
  readonly name: string;
  /** What the case is about: a rule of docs/uniqueness.md, or a word. The message of each failure begins with it. */
  readonly rule: ConformanceRule;
  /** Rejects when the subject fails. Calls `context.skip` when the subject has no means to show it. */
  run(context?: CaseContext): Promise<void>;
}

export type ConformanceRule =
  | 'R2'
  | 'R3'
  | 'R4'
  | 'R5'
  | 'R7'
  | 'R8'
  | 'protocol'
  | 'granting'
  | 'quotas'
  | 'inspection'
  | 'storage';

/** Thrown inside a case to end it; never seen outside. */
class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Ends a case that cannot be shown with this subject. */
export function skip(reason: string): never {
  throw new Skipped(reason);
}

/** A subject of a suite, made anew for every case. */
interface Disposable {
  /** Ends connections and removes what the case has stored. */
  dispose?(): Promise<void>;
}

export function conformanceCase<Subject extends Disposable>(
  { name, rule }: { readonly name: string; readonly rule: ConformanceRule },
  factory: () => Promise<Subject>,
  body: (subject: Subject) => Promise<void>,
): ConformanceCase {
  return {
    name,
    rule,
    // The default makes the function's length 0: some runners take a parameter for a callback to wait for.
    async run(context = {}) {
      const subject = await factory();
      try {
        await body(subject);
      } catch (error) {
        if (!(error instanceof Skipped)) throw new ConformanceError(rule, error);
        context.skip?.(error.message);
      } finally {
        await subject.dispose?.();
      }
    },
  };
}
