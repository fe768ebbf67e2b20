// `kazahana serve --check`: what is right and what is wrong, as far as it can be known without serving any client.
import type { ServerConfig } from '@kazahana/server';
import { LeaseError } from 'kazahana/lease';
import { EXIT } from '../terminal.js';
import { visible } from '../visible.js';
import type { OpenedStore } from './open-store.js';
import { poolLine, poolNamesOf } from './pool-lines.js';
import { explainStart } from './start-failure.js';
import { maskStoreUrl } from './store-url.js';

const NO_TOKENS = 'none: every program that can connect may do everything';

export async function checkStore(
  config: ServerConfig,
  { store, close }: OpenedStore,
  warnings: readonly string[],
): Promise<number> {
  const say = (line: string) => process.stdout.write(`${visible(line)}\n`);
  const { host, port, tokens, tls, services = {} } = config;
  say(`listen     ${tls ? 'https' : 'http'}://${host}:${port}`);
  say(`tokens     ${tokens.length === 0 ? NO_TOKENS : tokens.map(({ name }) => name).join(', ')}`);
  say(`services   ${Object.keys(services).join(', ')}`);
  say(`store      ${maskStoreUrl(config.store)}`);
  try {
    for (const name of poolNamesOf(config)) say(`pool       ${await poolLine(name, store, config)}`);
    for (const message of warnings) say(`warning    ${message}`);
    say('all is well');
    return EXIT.fine;
  } catch (error) {
    say(`wrong      ${explainStart(error, config)}`);
    const isAway = error instanceof LeaseError && error.code === 'STORE_UNAVAILABLE';
    return isAway ? EXIT.unreachable : EXIT.invalid;
  } finally {
    await close();
  }
}
