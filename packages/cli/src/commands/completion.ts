// `kazahana completion`: scripts for shells, made from the commands themselves.
import type { Command } from 'commander';
import { FORMATS } from 'kazahana/inspect';
import { EXIT, type Terminal } from '../terminal.js';

interface Word {
  readonly word: string;
  readonly description: string;
}

interface OptionWord extends Word {
  readonly takesValue: boolean;
  /** What the value can be, where that is known. */
  readonly values: readonly string[];
}

interface Completable {
  /** The words that lead to it: `pool list`. */
  readonly path: string;
  readonly subcommands: readonly Word[];
  /** What its arguments can be, where that is known. */
  readonly values: readonly string[];
  readonly options: readonly OptionWord[];
}

/** Values that the command line does not list, since they are many. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'inspect --as': FORMATS.map(({ name }) => name),
};

function optionsOf(command: Command): OptionWord[] {
  return command.options.flatMap(({ long, description, argChoices, required, optional }) => {
    if (!long) return [];
    const values = argChoices ?? VALUES[`${command.name()} ${long}`] ?? [];
    return [{ word: long, description, takesValue: required || optional, values }];
  });
}

const HELP: OptionWord = { word: '--help', description: 'print help', takesValue: false, values: [] };

/** A command and all below it; `global` are the options of the program that every command takes. */
function describe(command: Command, global: readonly OptionWord[], path: readonly string[]): Completable[] {
  return [
    {
      path: path.join(' '),
      subcommands: command.commands.map((sub) => ({ word: sub.name(), description: sub.description() })),
      values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      options: [...optionsOf(command), ...(path.length === 0 ? [] : global), HELP],
    },
    ...command.commands.flatMap((sub) => describe(sub, global, [...path, sub.name()])),
  ];
}

const named = (all: readonly Completable[]) => all.filter(({ path }) => path !== '');
const wordsOf = ({ subcommands, values, options }: Completable) =>
  [...subcommands.map(({ word }) => word), ...values, ...options.map(({ word }) => word)].join(' ');

/** Options with known values, by the command and the option. */
const choicesOf = (all: readonly Completable[]) =>
  all.flatMap(({ path, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map(({ word, values }) => ({ place: `${path} ${word}`, values: values.join(' ') })),
  );

const bash = (all: readonly Completable[]) => `# kazahana completion bash > /etc/bash_completion.d/kazahana
_kazahana() {
  local route="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${route:+$route }$word" in
${named(all)
  .map(({ path }) => `      "${path}") route="${path}" ;;`)
  .join('\n')}
    esac
  done
  case "$route" in
${all.map((one) => `    "${one.path}") words="${wordsOf(one)}" ;;`).join('\n')}
  esac
  case "$route \${COMP_WORDS[COMP_CWORD-1]}" in
${choicesOf(all)
  .map(({ place, values }) => `    "${place}") words="${values}" ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kazahana kazahana
`;

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** In a list for _describe, a colon parts the word from its description. */
const described = ({ word, description }: Word) => quote(`${word}:${description.replaceAll(':', '\\:')}`);

const zsh = (all: readonly Completable[]) => `#compdef kazahana
# kazahana completion zsh > "\${fpath[1]}/_kazahana"
_kazahana() {
  local -a choices
  local route="" word
  for word in \${words[2,CURRENT-1]}; do
    case "\${route:+$route }$word" in
${named(all)
  .map(({ path }) => `      "${path}") route="${path}" ;;`)
  .join('\n')}
    esac
  done
  case "$route \${words[CURRENT-1]}" in
${choicesOf(all)
  .map(({ place, values }) => `    "${place}") choices=(${values}); compadd -a choices; return ;;`)
  .join('\n')}
  esac
  case "$route" in
${all
  .map(({ path, subcommands, values, options }) => {
    const list = [...subcommands, ...values.map((word) => ({ word, description: word })), ...options];
    return `    "${path}") choices=(${list.map(described).join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  _describe kazahana choices
  _files
}
if [[ "\${funcstack[1]}" == _kazahana ]]; then _kazahana "$@"; else compdef _kazahana kazahana; fi
`;

const fish = (
  all: readonly Completable[],
) => `# kazahana completion fish > ~/.config/fish/completions/kazahana.fish
${all.flatMap(fishLines).join('\n')}
`;

function fishLines({ path, subcommands, values, options }: Completable): string[] {
  const seen = path.split(' ').map((part) => `__fish_seen_subcommand_from ${part}`);
  // A group offers its commands until one of them stands there.
  const below = subcommands.map(({ word }) => word).join(' ');
  const conditions =
    path === ''
      ? ['__fish_use_subcommand']
      : [...seen, ...(below === '' ? [] : [`not __fish_seen_subcommand_from ${below}`])];
  const line = (what: string, description: string) =>
    `complete -c kazahana -n '${conditions.join('; and ')}' ${what} -d ${fishQuote(description)}`;
  return [
    ...subcommands.map(({ word, description }) => line(`-f -a ${word}`, description)),
    ...values.map((word) => line(`-f -a ${word}`, word)),
    ...options.map(({ word, description, takesValue, values: own }) => {
      const value = own.length > 0 ? ` -x -a '${own.join(' ')}'` : takesValue ? ' -r' : '';
      return line(`-l ${word.slice(2)}${value}`, description);
    }),
  ];
}

const fishQuote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const SHELLS = { bash, zsh, fish } as const;

export async function completion(
  shell: keyof typeof SHELLS,
  program: Command,
  terminal: Terminal,
): Promise<number> {
  const global = optionsOf(program).filter(({ word }) => word !== '--version');
  await terminal.write(SHELLS[shell](describe(program, global, [])));
  return EXIT.fine;
}
