// The checker sees every window that a client was granted and every ID that it made, after the run. It is pure, and shares no
// code with what it checks. It decides of which kind each ID is, and finds IDs that were made twice (docs/uniqueness.md), IDs
// outside of every window (rule R1), slots with two holders at a time (R2), and IDs that do not rise (R6).
import { type Pieces, suffixOf, timeOf, toId } from './id.ts';
import { type Counts, type Kind, kindIn, noCounts, type SlotWindow, sharedSlots } from './kinds.ts';
import { repeatedIds } from './repeats.ts';

/** A client, from one of its maker's IDs on. */
export interface CheckedClient {
  readonly holder: string;
  readonly from: number;
  readonly windows: readonly SlotWindow[];
}

/** A process that made IDs with one client after another. */
export interface Maker {
  readonly name: string;
  readonly pieces: Pieces;
  readonly clients: readonly CheckedClient[];
  /** Its IDs come from clients of several servers: each is in a window of any, in no order. */
  readonly isMixed?: boolean;
  /** When it had made how many; noted as it went. */
  readonly marks: readonly { readonly at: number; readonly ids: number }[];
}

export const RULES = ['equal IDs', 'R1', 'R2', 'R6'] as const;
type Rule = (typeof RULES)[number];
export interface Violation {
  readonly rule: Rule;
  readonly text: string;
}

/** What a maker made up to a moment, since the one before. */
export interface Span extends Readonly<Counts> {
  readonly at: number;
}

export interface Verdict {
  readonly ids: Readonly<Counts>;
  /** How often each rule is broken. */
  readonly broken: Readonly<Record<Rule, number>>;
  /** The first violations of each rule. */
  readonly violations: readonly Violation[];
  /** Equal IDs, of which all but one are random ones: these have odds. */
  readonly randomMeetings: number;
  /** By maker. */
  readonly spans: ReadonlyMap<string, readonly Span[]>;
  /** By client. */
  readonly byClient: ReadonlyMap<string, Readonly<Counts>>;
}

/** So many violations of a rule are shown. */
const MOST_SHOWN = 10;

export function check(makers: readonly Maker[], epoch: number, others: readonly SlotWindow[] = []): Verdict {
  const ids = noCounts();
  const broken: Record<Rule, number> = { 'equal IDs': 0, R1: 0, R2: 0, R6: 0 };
  const violations: Violation[] = [];
  const breaks = (rule: Rule, text: () => string) => {
    if (broken[rule]++ < MOST_SHOWN) violations.push({ rule, text: text() });
  };
  const ofClients = makers.flatMap(({ isMixed, clients }) =>
    isMixed ? [] : clients.flatMap(({ windows }) => windows),
  );
  const show = ({ holder, created, end }: SlotWindow) => `${holder} from ${created} to ${end}`;
  sharedSlots([...ofClients, ...others], (one, other) =>
    breaks('R2', () => `slot ${one.slot}: ${show(one)}, ${show(other)}`),
  );
  const spans = new Map<string, readonly Span[]>();
  const byClient = new Map<string, Counts>();
  let count = 0;
  for (const maker of makers) {
    const made = walk(maker, epoch, breaks);
    for (const [holder, counts] of made.byClient) byClient.set(holder, counts);
    for (const kind of Object.keys(ids) as Kind[]) ids[kind] += made.ids[kind];
    count += Object.values(made.ids).reduce((sum, one) => sum + one, 0);
    spans.set(maker.name, made.spans);
  }
  const repeated = repeatedIds(
    makers.map(({ pieces }) => pieces),
    count,
  );
  const whoMade = repeated.size === 0 ? new Map() : makersOf(repeated, makers, epoch);
  let randomMeetings = 0;
  for (const [id, made] of whoMade) {
    if (made.filter(({ kind }: { kind: Kind }) => kind !== 'random').length <= 1) randomMeetings++;
    else
      breaks('equal IDs', () => {
        const who = made.map(({ name, kind }: { name: string; kind: Kind }) => `${name} (${kind})`);
        return `${id} by ${who.join(', ')}`;
      });
  }
  return { ids, broken, violations, randomMeetings, spans, byClient };
}

/** Each ID of a maker: its place, its words, and its client. */
function* idsOf({ pieces, clients }: Maker) {
  let [at, next] = [0, 0];
  let client: CheckedClient | undefined;
  for (const piece of pieces()) {
    for (let word = 0; word < piece.length; word += 2, at++) {
      for (; (clients[next]?.from ?? Number.POSITIVE_INFINITY) <= at; next++) client = clients[next];
      yield { at, low: piece[word] as number, high: piece[word + 1] as number, client };
    }
  }
}

/** Goes through the IDs of a maker once. */
function walk(maker: Maker, epoch: number, breaks: (rule: Rule, text: () => string) => void) {
  const { name, marks, isMixed = false } = maker;
  const ids = noCounts();
  const byClient = new Map<string, Counts>();
  const spans: Span[] = [];
  let since = noCounts();
  let nextMark = 0;
  const endSpans = (made: number) => {
    for (let mark = marks[nextMark]; mark && mark.ids <= made; mark = marks[++nextMark]) {
      spans.push({ at: mark.at, ...since });
      since = noCounts();
    }
  };
  let client: CheckedClient | undefined;
  let counts = noCounts();
  let kindOf = kindIn([]);
  let [lastLow, lastHigh] = [0, 0];
  for (const id of idsOf(maker)) {
    endSpans(id.at);
    const { low, high } = id;
    let isFirst = id.at === 0;
    if (id.client !== client) {
      client = id.client;
      isFirst = true;
      counts = noCounts();
      byClient.set(client?.holder ?? name, counts);
      kindOf = kindIn(client?.windows ?? []);
    }
    const kind = kindOf(epoch + timeOf(low, high), suffixOf(low));
    ids[kind]++;
    since[kind]++;
    counts[kind]++;
    if (kind === 'stray') breaks('R1', () => `${name} made ${toId(low, high)} outside of its windows`);
    const isHigher = high > lastHigh || (high === lastHigh && low > lastLow);
    if (!isFirst && !isHigher && !isMixed)
      breaks('R6', () => `${name} made ${toId(low, high)} after ${toId(lastLow, lastHigh)}`);
    [lastLow, lastHigh] = [low, high];
  }
  endSpans(Number.POSITIVE_INFINITY);
  return { ids, byClient, spans };
}

/** Who made these IDs, and of which kind each is. */
function makersOf(repeated: ReadonlySet<bigint>, makers: readonly Maker[], epoch: number) {
  const made = new Map<bigint, { readonly name: string; readonly kind: Kind }[]>();
  for (const maker of makers) {
    let client: CheckedClient | undefined;
    let kindOf = kindIn([]);
    for (const { low, high, client: of } of idsOf(maker)) {
      if (of !== client) kindOf = kindIn(of?.windows ?? []);
      client = of;
      const id = toId(low, high);
      if (!repeated.has(id)) continue;
      const all = made.get(id) ?? [];
      made.set(id, [...all, { name: maker.name, kind: kindOf(epoch + timeOf(low, high), suffixOf(low)) }]);
    }
  }
  return made;
}
