// What a Redis must be before leases are entrusted to it (rule R7): it must not throw keys away, and it should keep them
// on disk. Checked once for each pool, on the server that keeps it, before its first read. And which life of the store a
// server is, found out with every read.
import { type Incarnation, StoreError } from 'kazahana/lease';
import type { RedisConnection } from './connection.js';
import { EvictingRedisError } from './errors.js';
import type { RedisLeaseProviderOptions } from './options.js';
import type { ScriptRunner } from './script-runner.js';
import { INFO } from './scripts.js';

const KEEPS_NOTHING =
  'Redis keeps nothing on disk (appendonly no, save ""): after a restart it has forgotten every lease, and grants none to new clients until all of them have ended; set appendonly yes';
const CANNOT_TELL_SNAPSHOTS =
  'Redis has appendonly no, and does not say whether it takes snapshots (CONFIG GET save is not allowed): without them it forgets every lease when it restarts';
const CANNOT_TELL =
  'Redis does not say what it is (INFO is not allowed): a fail-over or restart that loses leases cannot be noticed; see to it that maxmemory-policy is noeviction and appendonly is yes, and call quarantine() after a fail-over';

type Options = Required<Pick<RedisLeaseProviderOptions, 'eviction' | 'onWarning'>>;
export type ServerCheck = ReturnType<typeof serverCheck>;

export function serverCheck(scripts: ScriptRunner, connection: RedisConnection, options: Options) {
  /** By key: whether its server allows INFO. */
  const checks = new Map<string, Promise<boolean>>();
  const warned = new Set<string>();

  function warn(message: string): void {
    if (!warned.has(message)) options.onWarning(message);
    warned.add(message);
  }

  /** Settings of the server of a key, as far as it tells them. */
  async function settings(key: string, pattern: string): Promise<Partial<Record<string, string>>> {
    try {
      const [, response] = await connection.sendPair(key, ['EXISTS', key], ['CONFIG', 'GET', pattern]);
      // Older protocols respond with a list, newer ones with a map.
      const texts = (Array.isArray(response) ? response : Object.entries(response ?? {}).flat()).map(String);
      return Object.fromEntries(texts.flatMap((name, i) => (i % 2 === 0 ? [[name, texts[i + 1]]] : [])));
    } catch {
      // Managed servers keep CONFIG to themselves, each with an error of its own.
      return {};
    }
  }

  async function check(key: string): Promise<boolean> {
    const info = await scripts.run(INFO, [key], []).then(infoOf, (error: unknown) => {
      if (!(error instanceof StoreError && error.code === 'STORE_REFUSED')) throw error;
      warn(CANNOT_TELL);
    });
    if (!info) return false;
    const { maxmemory = '0', maxmemory_policy: policy = 'noeviction' } = info;
    if (maxmemory !== '0' && policy !== 'noeviction') {
      const error = new EvictingRedisError(policy, Number(maxmemory));
      if (options.eviction === 'refuse') throw error;
      warn(error.message);
    }
    if (info.aof_enabled === '1') return true;
    const { save } = await settings(key, 'save');
    if (save === undefined) warn(CANNOT_TELL_SNAPSHOTS);
    if (save === '') warn(KEEPS_NOTHING);
    return true;
  }

  return {
    /** Resolves when the server of a key may keep leases, to whether it allows INFO. What failed is checked again. */
    pass(key: string): Promise<boolean> {
      const passing = checks.get(key) ?? check(key);
      checks.set(key, passing);
      passing.catch(() => checks.delete(key));
      return passing;
    },

    /**
     * Which life of the store this is: the process that responds. `life` says which process wrote the pool last, and
     * when. If it was another one, this one has taken over from it, or was started on what was on its disk.
     */
    async incarnation(key: string, text: string, life: string | null, now: number): Promise<Incarnation> {
      const { run_id: id = '', uptime_in_seconds: uptime, master_replid2: formerHistory = '' } = infoOf(text);
      const [writer = '', written] = life?.split(' ') ?? [];
      if (writer === '' || writer === id) return { id, mayLose: false };
      // Redis counts whole seconds of its clock: it was started before the end of this one.
      const startedBy = (Math.floor(now / 1000) - Number(uptime) + 1) * 1000;
      // A write of another process that is younger than this process came by replication.
      if (Number(written) >= startedBy) return { id, mayLose: !scripts.waits };
      const { appendonly, appendfsync } = await settings(key, 'append*');
      const keepsAll = appendonly === 'yes' && appendfsync === 'always';
      return { id, mayLose: !keepsAll || !/^0*$/.test(formerHistory) };
    },
  };
}

/** What a server says of itself, by name. */
function infoOf(text: unknown): Partial<Record<string, string>> {
  const lines = String(text).matchAll(/^(\w+):(.*?)\r?$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}
