// Links that carry what a room shows, in the fragment, which browsers do not send to servers. Keys and tokens have no
// place in one: only the names below are written and read.
export const ROOMS = [
  'generate',
  'inspect',
  'bits',
  'batch',
  'public',
  'hierarchy',
  'layout',
  'pool',
  'history',
] as const;
export type RoomName = (typeof ROOMS)[number];
/** Those that are not in the first view. */
export const LATER_ROOMS = ['batch', 'public', 'hierarchy', 'layout', 'pool', 'history'] as const;

/** What may stand in a link, for each room that has something to share. */
const SHARED: Readonly<Partial<Record<RoomName, readonly string[]>>> = {
  generate: ['kind', 'count'],
  inspect: ['id', 'as'],
  public: ['id', 'algorithm'],
  hierarchy: ['id'],
  layout: ['epoch', 'reserve', 'ts', 'machine', 'seq'],
};

export interface Shared {
  readonly room: RoomName;
  readonly values: Readonly<Record<string, string>>;
}

const LONGEST_VALUE = 2000;

const isRoom = (name: string): name is RoomName => (ROOMS as readonly string[]).includes(name);

/** The fragment of a link, `#` included. */
export function writeFragment({ room, values }: Shared): string {
  const allowed = SHARED[room] ?? [];
  const query = new URLSearchParams();
  for (const name of allowed) {
    const value = values[name];
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? `#${room}` : `#${room}?${query}`;
}

/** What a fragment shares; undefined for anything that we did not write. */
export function readFragment(fragment: string): Shared | undefined {
  const [room = '', query = ''] = fragment.replace(/^#/, '').split('?', 2);
  if (!isRoom(room)) return undefined;
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (SHARED[room]?.includes(name) && value.length <= LONGEST_VALUE) values[name] = value;
  }
  return { room, values };
}
