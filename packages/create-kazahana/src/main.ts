// `npm create kazahana [folder]`: asks what is not said by flags, and writes a project. Without a terminal it asks nothing.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Choices, DEFAULTS, isChoice, optionsOf, QUESTIONS, type Question } from './choices.js';
import { filesOf, NODE, steps } from './project.js';

const WRONG_USAGE = 2;
const DEFAULT_FOLDER = 'kazahana-app';

class UsageError extends Error {}

const list = (question: Question) => Object.keys(optionsOf(question)).join(', ');

const USAGE = `Usage: npm create kazahana [folder] -- [options]

Writes a small running project with a test. Asks for what is not said.

Options:
${QUESTIONS.map((question) => `  --${`${question} <name>`.padEnd(18)} ${list(question)}`).join('\n')}
  --yes                the defaults (${QUESTIONS.map((question) => DEFAULTS[question]).join(', ')}) for what is not said
  --help
`;

interface Arguments {
  readonly folder?: string | undefined;
  readonly choices: Partial<Record<Question, string>>;
  readonly yes: boolean;
  readonly help: boolean;
}

function readArguments(args: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        framework: { type: 'string' },
        database: { type: 'string' },
        store: { type: 'string' },
        yes: { type: 'boolean', short: 'y', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (positionals.length > 1) throw new UsageError(`one folder, got ${positionals.length}`);
    const { yes, help, ...choices } = values;
    return { folder: positionals[0], choices, yes, help };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The name of a package, from the name of its folder. */
export function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
  return name === '' ? DEFAULT_FOLDER : name;
}

function checkFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const [first] = readdirSync(folder);
  if (first !== undefined)
    throw new UsageError(
      `the folder ${folder} must be empty or new; there is ${JSON.stringify(first)} in it`,
    );
}

function checkChoices(choices: Arguments['choices']): Partial<Choices> {
  for (const question of QUESTIONS) {
    const value = choices[question];
    if (value !== undefined && !isChoice(question, value))
      throw new UsageError(`--${question} must be one of ${list(question)}, got ${JSON.stringify(value)}`);
  }
  return choices as Partial<Choices>;
}

/** Asks at the terminal; undefined when the user has left. */
async function ask(folder: string | undefined, choices: Partial<Choices>) {
  const { cancel, intro, isCancel, select, text } = await import('@clack/prompts');
  intro('風花 kazahana');
  const said: Record<string, string> = { ...choices };
  const folderOrExit =
    folder ?? (await text({ message: 'Folder', placeholder: DEFAULT_FOLDER, defaultValue: DEFAULT_FOLDER }));
  if (isCancel(folderOrExit)) return void cancel('Nothing was written.');
  checkFolder(folderOrExit);
  const messages: Record<Question, string> = {
    framework: 'Framework',
    database: 'Database for your data',
    store: 'Where does the program lease its machine ID?',
  };
  for (const question of QUESTIONS.filter((name) => said[name] === undefined)) {
    const value = await select({
      message: messages[question],
      initialValue: DEFAULTS[question] as string,
      options: Object.entries(optionsOf(question)).map(([name, { label, hint }]) => ({
        value: name,
        label,
        hint,
      })),
    });
    if (isCancel(value)) return void cancel('Nothing was written.');
    said[question] = value;
  }
  return { folder: folderOrExit, choices: said as unknown as Choices };
}

function write(folder: string, choices: Choices): void {
  const secret = randomBytes(32).toString('base64url');
  for (const [path, text] of filesOf({ name: packageName(folder), choices, secret })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // A secret is in one of them.
    writeFileSync(join(folder, path), text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o644 });
  }
}

async function create(args: readonly string[]): Promise<void> {
  const { folder, choices: said, yes, help } = readArguments(args);
  if (help) return void process.stdout.write(USAGE);
  const choices = checkChoices(said);
  if (folder !== undefined) checkFolder(folder);
  const isComplete = QUESTIONS.every((question) => choices[question] !== undefined);
  const asks = !yes && !(isComplete && folder !== undefined);
  if (asks && !process.stdin.isTTY)
    throw new UsageError(
      `no terminal to ask at: name the folder and say --${QUESTIONS.join(', --')}, or --yes`,
    );
  const project = asks
    ? await ask(folder, choices)
    : { folder: folder ?? DEFAULT_FOLDER, choices: { ...DEFAULTS, ...choices } };
  if (project === undefined) return;
  checkFolder(project.folder);
  write(project.folder, project.choices);
  const next = [`cd ${project.folder}`, ...steps(project.choices)].map((step) => `  ${step}`).join('\n');
  process.stdout.write(`\nWritten to ${project.folder}. Next:\n\n${next}\n\n`);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < NODE[0] || (major === NODE[0] && minor < NODE[1]))
    process.stderr.write(`The project needs Node ${NODE.join('.')} or later; this is ${process.version}.\n`);
}

/** Resolves to the exit code: 0, or 2 for wrong usage. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    await create(args);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`create-kazahana: ${error.message}\n`);
    return WRONG_USAGE;
  }
}
