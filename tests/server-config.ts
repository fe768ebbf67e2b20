// Configurations of the lease server as documents and manifests show them, resolved as the server would.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveServerConfig, type ServerConfig, type ServerSettings } from '@kazahana/server';

const ANY_TOKEN = 'a-token-of-more-than-16-characters';

/** Calls with a folder that is gone afterwards. */
function inFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-config-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What the server makes of a configuration file. The absolute paths in it, where tokens and certificates are, stand for
 * files below a temporary folder; `env` has what its tokens need. What stands in `<…>` is replaced by a value.
 */
export function resolveFile(
  json: string,
  { flags = {}, env = {} }: { flags?: ServerSettings; env?: Record<string, string> } = {},
): ServerConfig {
  return inFolder((folder) => {
    const moved = json.replace(/(?<key>"(?:file|cert|key|clientCa)"): "(?<path>\/[^"]+)"/g, (...match) => {
      const { key, path } = match.at(-1) as { key: string; path: string };
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${ANY_TOKEN}-${path.replace(/[^\w]/g, '-')}\n`);
      return `${key}: ${JSON.stringify(join(folder, path))}`;
    });
    const filled = moved
      .replace(/"sha256": "<[^"]*>"/g, `"sha256": "${'0123456789abcdef'.repeat(4)}"`)
      .replace(/: "<[^"]*>"/g, `: "${ANY_TOKEN}"`);
    const named = [...json.matchAll(/"env": "(?<name>\w+)"/g)].map(({ groups }) => groups?.name);
    const config = join(folder, 'config.json');
    writeFileSync(config, filled);
    // Every token is another one.
    const tokens = named.map((name, i) => [name, `${ANY_TOKEN}-${i}`]);
    return resolveServerConfig({ config, ...flags }, { ...Object.fromEntries(tokens), ...env });
  });
}
