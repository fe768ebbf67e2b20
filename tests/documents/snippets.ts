// Finds the code in documents and in doc comments, and turns each piece into a module that checks itself.
//
// A line `expression; // → value` becomes a check that the expression shows as that value, and
// `expression; // throws text` one that it throws an error whose name and message start with that text.

export interface Snippet {
  /** Where it stands, for people: `README.md:12`. */
  readonly origin: string;
  readonly language: string;
  readonly code: string;
  /** The file that it is a part of, where a comment before it says so: `<!-- from: examples/tour.ts -->`. */
  readonly source?: string;
}

const FENCE =
  /(?:^<!-- from: (?<source>\S+) -->\n\n?)?^(?<indent>[ \t]*(?:\* )?)```(?<language>\w*)\n(?<code>[\s\S]*?)^[ \t]*(?:\* ?)?```$/gm;

/** Every fenced piece of code of a text, Markdown or TypeScript. */
export function findSnippets(path: string, text: string): Snippet[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const { language = '', code = '', source } = match.groups ?? {};
    const line = text.slice(0, match.index).split('\n').length;
    // In a doc comment, every line starts with a star.
    const plain = code.replace(/^[ \t]*\* ?/gm, '');
    return { origin: `${path}:${line}`, language, code: plain, ...(source ? { source } : {}) };
  });
}

const EXPECTED = /^(?<code>.*?);?[ \t]*\/\/ (?<kind>→|throws) (?<expected>.*)$/;
const DECLARATION = /^\s*(?:const|let) (?<name>\w+)\s*=/;

function checkLine(line: string): string {
  const { code, kind, expected } = EXPECTED.exec(line)?.groups ?? {};
  if (code === undefined || expected === undefined) return line;
  const text = JSON.stringify(expected);
  if (kind === 'throws') return `__throws(() => ${code.trim()}, ${text});`;
  const name = DECLARATION.exec(code)?.groups?.name;
  return name === undefined ? `__shows(${code.trim()}, ${text});` : `${code}; __shows(${name}, ${text});`;
}

const PRELUDE = `
import { inspect as __inspect } from 'node:util';
function __shows(value: unknown, expected: string): void {
  const ways = [String(value), __inspect(value, { breakLength: Infinity }), JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v))];
  if (!ways.includes(expected)) throw new Error(\`the document says \${expected}, but it is \${ways[1]}\`);
}
function __throws(call: () => unknown, expected: string): void {
  try {
    call();
  } catch (error) {
    if (String(error).startsWith(expected)) return;
    throw new Error(\`the document says it throws \${expected}, but it throws \${error}\`);
  }
  throw new Error(\`the document says it throws \${expected}, but it does not throw\`);
}
void __shows; void __throws;
`;

/** A module that runs the code of a snippet and fails where the document is wrong. */
export function toModule(snippet: Snippet, imports = ''): string {
  const body = snippet.code.split('\n').map(checkLine).join('\n');
  return `// ${snippet.origin}\n${imports}\n${body}\n${PRELUDE}export {};\n`;
}

/** Whether a doc comment's example says anything that can be checked. */
export function hasExpectation(snippet: Snippet): boolean {
  return snippet.code.split('\n').some((line) => EXPECTED.test(line));
}
