// A process that acquires and releases as fast as it can: a `StormTurn` as JSON in each line of its standard input, so that
// it stays warm from turn to turn. Prints a `StormResult` as JSON for each.
import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Connection } from './connection.ts';

export interface StormTurn {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
  readonly connections: number;
}

export interface StormResult {
  readonly requests: number;
  /** Acquires that were granted. */
  readonly acquires: number;
  readonly seconds: number;
  /** Of every acquire, in milliseconds. */
  readonly latencies: readonly number[];
  /** Responses by their status, and by their code where they were refusals. */
  readonly responses: Readonly<Record<string, number>>;
}

/** What a client sends, `report` and all. */
const acquireBody = (requestId: string) =>
  JSON.stringify({
    throughputPerMs: 256,
    meta: { host: 'storm', pid: '1', runtime: 'node' },
    report: {
      leasedIds: 1000,
      fencedIds: 0,
      randomIds: 0,
      exhaustedMs: 3,
      acquireFailures: 0,
      clockSteps: 0,
    },
    serviceId: 'default',
    requestId,
  });

async function storm({ url, token, seconds, connections }: StormTurn): Promise<StormResult> {
  const latencies: number[] = [];
  const responses: Record<string, number> = {};
  let requests = 0;
  let acquires = 0;
  const note = (what: string) => {
    responses[what] = (responses[what] ?? 0) + 1;
  };
  const started = performance.now();
  const end = started + seconds * 1000;

  const loop = async (number: number) => {
    const connection = await Connection.open(url, token);
    const send = async (method: string, path: string, body: string) => {
      const response = await connection.send(method, path, body);
      requests++;
      const code = response.status >= 400 ? ` ${JSON.parse(response.body).code}` : '';
      note(`${response.status}${code}`);
      return response;
    };
    try {
      for (let round = 0; performance.now() < end; round++) {
        const sent = performance.now();
        const { status, body } = await send('POST', '/lease', acquireBody(`${started}.${number}.${round}`));
        latencies.push(performance.now() - sent);
        if (status !== 200) continue;
        acquires++;
        const { id, secret, created } = JSON.parse(body).leases[0];
        const signature = createHmac('sha256', secret).update(`${id}:${created}`).digest('hex');
        await send('DELETE', `/lease/${id}`, JSON.stringify({ timestamp: created, signature }));
      }
    } catch (error) {
      note(`error: ${(error as Error).message}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => loop(number)));
  return { requests, acquires, seconds: (performance.now() - started) / 1000, latencies, responses };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await storm(JSON.parse(line) as StormTurn))}\n`);
}
