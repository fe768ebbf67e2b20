// `ioredis`, whose clients find the node of a command by its keys.
import type { RedisConnection } from './connection.js';

type Outcome = readonly [error: Error | null, response?: unknown];

interface IoRedis {
  readonly status?: string;
  call(...command: readonly string[]): Promise<unknown>;
  pipeline(commands: readonly (readonly string[])[]): { exec(): Promise<readonly Outcome[] | null> };
  disconnect(reconnect: boolean): void;
}

function value(outcome: Outcome | undefined): unknown {
  const [error, response] = outcome ?? [new Error('the pipeline has not been run')];
  if (error) throw error;
  return response;
}

export function ioredisConnection(redis: unknown): RedisConnection {
  const client = redis as IoRedis;
  return {
    send: (_key, command) => client.call(...command),

    async sendPair(_key, first, second) {
      const commands = [first, second].map((command) => ['call', ...command]);
      const [firstOutcome, secondOutcome] = (await client.pipeline(commands).exec()) ?? [];
      return [value(firstOutcome), value(secondOutcome)];
    },

    async replace() {
      if (client.status === 'ready') client.disconnect(true);
    },
  };
}
