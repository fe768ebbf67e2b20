// `kazahana completion`: scripts for shells, made from the commands themselves.
import type { Command } from 'commander';
import { EXIT, type Terminal, UsageError } from '../terminal.js';

interface Completable {
  /** The words that lead to it: `pool list`. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

function describe(command: Command, path: readonly string[]): Completable[] {
  const words = [
    ...command.commands.map((sub) => ({ word: sub.name(), description: sub.description() })),
    ...command.options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : [])),
  ];
  return [
    { path: path.join(' '), words },
    ...command.commands.flatMap((sub) => describe(sub, [...path, sub.name()])),
  ];
}

const bash = (all: readonly Completable[]) => `# kazahana completion bash > /etc/bash_completion.d/kazahana
_kazahana() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || case " $path $word" in
${all
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "  ${path}"|" ${path}") path="${path}" ;;`)
  .join('\n')}
    esac
  done
  local words=""
  case "$path" in
${all.map(({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kazahana kazahana
`;

const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:').replaceAll('[', '\\[');

const zsh = (all: readonly Completable[]) => `#compdef kazahana
# kazahana completion zsh > "\${fpath[1]}/_kazahana"
_kazahana() {
  local -a described
  local route="" word
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    case "\${route:+$route }$word" in
${all
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') route='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$route" in
${all
  .map(
    ({ path, words }) =>
      `    '${path}') described=(${words.map(({ word, description }) => `'${word}:${quote(description)}'`).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'kazahana' described
  _files
}
_kazahana "$@"
`;

const fish = (
  all: readonly Completable[],
) => `# kazahana completion fish > ~/.config/fish/completions/kazahana.fish
${all
  .flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const condition =
        path === ''
          ? '__fish_use_subcommand'
          : path
              .split(' ')
              .map((part) => `__fish_seen_subcommand_from ${part}`)
              .join('; and ');
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c kazahana -n '${condition}' ${what} -d '${description.replaceAll("'", "\\'")}'`;
    }),
  )
  .join('\n')}
`;

const SHELLS: Readonly<Record<string, (all: readonly Completable[]) => string>> = { bash, zsh, fish };

export async function completion(shell: string, program: Command, terminal: Terminal): Promise<number> {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (!write)
    throw new UsageError(
      `the shell must be one of ${Object.keys(SHELLS).join(', ')}; got ${JSON.stringify(shell)}`,
    );
  await terminal.write(write(describe(program, [])));
  return EXIT.fine;
}
