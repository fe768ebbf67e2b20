// A process that acquires and releases as fast as it can: `node storm.ts <url> <seconds>` in a line on its standard
// input each, so that it stays warm from turn to turn. Prints what it saw as JSON, one line for a turn.
import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Connection } from './connection.ts';

export interface StormTurn {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
}

export interface StormResult {
  readonly requests: number;
  readonly seconds: number;
  /** Of every answer, in milliseconds. */
  readonly latencies: readonly number[];
  /** Answers by their status, and by their code where they were refusals. */
  readonly answers: Readonly<Record<string, number>>;
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

async function storm({ url, seconds, connections }: StormTurn): Promise<StormResult> {
  const latencies: number[] = [];
  const answers: Record<string, number> = {};
  const note = (what: string) => {
    answers[what] = (answers[what] ?? 0) + 1;
  };
  const started = performance.now();
  const end = started + seconds * 1000;

  const loop = async (number: number) => {
    const connection = await Connection.open(url);
    const send = async (method: string, path: string, body: string) => {
      const sent = performance.now();
      const answer = await connection.send(method, path, body);
      latencies.push(performance.now() - sent);
      const code = answer.status >= 400 ? ` ${JSON.parse(answer.body).code}` : '';
      note(`${answer.status}${code}`);
      return answer;
    };
    try {
      for (let round = 0; performance.now() < end; round++) {
        const { status, body } = await send('POST', '/lease', acquireBody(`${started}.${number}.${round}`));
        if (status !== 200) continue;
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
  return { requests: latencies.length, seconds: (performance.now() - started) / 1000, latencies, answers };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await storm(JSON.parse(line) as StormTurn))}\n`);
}
