// Every sentence of the inspector that is more than a title: a stable key, and English with {places} for values. Programs
// in another language write their own sentence for the key.

export const MESSAGES = {
  // Why a reading is likely, possible or unlikely.
  'reason-form': 'Only this format is written like this.',
  'reason-form-and-time': 'Its form fits, and its time lies between the first of its kind and now.',
  'reason-form-without-time': 'Its form fits, and few other formats are written like this.',
  'reason-only-time':
    'Of the formats that are written like this, only this one gives a time that can be right.',
  'reason-shared': 'Other formats are written like this; the text does not tell which it is.',
  'reason-weak': 'Any text of this length and alphabet fits.',
  'reason-future': 'Its time would be in the future.',
  'reason-early': 'Its time would be before the first of its kind.',
  'reason-unix-time': 'It is the time of a clock, in a unit that programs write.',
  'reason-range': 'It has bits that no generator of this format sets.',
  'reason-host': 'The address is one of the site whose IDs these are.',
  'reason-chosen': 'You chose this format.',

  // What was taken off around the ID.
  'took-quotes': 'The quotes around it were taken off.',
  'took-brackets': 'The brackets around it were taken off.',
  'took-punctuation': 'The punctuation after it was taken off.',
  'took-call': '{name}(…) around it was taken off.',
  'took-cast': 'The cast to {name} was taken off.',
  'took-suffix': 'The suffix {name} of a number was taken off.',
  'took-name': 'The name {name} before it was taken off.',
  'took-json': 'It was found among other values, as {name}.',
  'took-words': 'It was found in a longer text.',
  'took-address': 'It was found in an address of {name}.',

  // What the fields of an ID do not say.
  'note-future': 'Its time is in the future: a wrong clock, or not this format.',
  'note-early': 'Its time is before the first of its kind: a wrong clock, or not this format.',
  'note-fallback':
    'It was made without a valid lease: either fenced, under the machine ID of a lease that could not be renewed, ' +
    'or random, with no lease at all. The bits do not tell which.',
  'note-internal': 'It stands for the kazahana ID {id}.',
  'note-internal-secret': 'With another secret it stands for another ID.',
  'note-name-based': 'It is a hash of a name: the same name always gives this UUID.',
  'note-custom': 'Its bits are defined by the program that made it.',
  'note-random-node': 'The node is random: it is no address of a network card.',
  'note-local-node': 'The node is an address that software chose: it is no address of a network card.',
  'note-mac-node': 'The node is written like the address of a network card of the machine that made it.',
  'note-dce-time': 'Its time is known to about seven minutes only.',
  'note-nil': 'All bits are 0: it stands for no ID.',
  'note-max': 'All bits are 1: it stands for the end of all IDs.',
  'note-ncs': 'A UUID of Apollo NCS, from before 1990; few were ever made.',
  'note-microsoft': 'A GUID of old Microsoft COM, made before the RFC.',
  'note-dotnet-order':
    'Its bytes are in the order of .NET, which puts the lowest byte of the first three numbers first.',
  'note-prefix': 'The prefix {prefix} says what it is an ID of.',
  'note-secret-key': 'It is a secret key: anyone who reads it can use it. Replace it if others have seen it.',
  'note-hashed': 'It is a hash: neither its time nor its maker can be read.',
  'note-by-length': 'Its length is all that says so; others of this length are {alike}.',
  'note-cid': 'Version {version}, {codec}: the hash of what it points to is in it.',
  'note-sampled': 'The trace is recorded.',
  'note-not-sampled': 'The trace is not recorded.',
  'note-mac-local': 'Software chose this address: it is no address of a network card.',
  'note-mac-universal': 'The first three bytes name the maker of the network card.',
  'note-ip-loopback': 'It is the machine itself.',
  'note-ip-private': 'It is an address of a private network.',
  'note-ip-link-local': 'It is valid on one link only.',
  'note-ip-documentation': 'It is an address for examples in documents.',
  'note-ip-multicast': 'It is an address of a group.',
  'note-cannot-be-told':
    'The text cannot be told from other random text; only the program that made it can read it.',

  // What the value of a field means.
  'field-always-zero': 'always 0',
  'field-random': 'random',
  'field-rand-a': 'random, a counter, or a fraction of the millisecond',
  'field-hash': 'part of the hash',
  'field-custom': 'defined by the program that made it',
  'field-fallback': 'fallback (slot {slot}, or random)',
  'field-slot': 'slot {slot}',
  'field-variant': 'RFC 9562',

  // What two IDs say of their makers.
  'maker-same': 'Both carry {field} {text}.',
  'maker-different': 'They carry {field} {text} and {other}.',
  'maker-slot':
    'Both carry machine ID {text}: one client at a time holds it, so the maker may have changed between them.',
  'maker-unknown': 'They do not say who made them.',

  // Why a text that is nearly an ID is none.
  'near-length': 'It would have {expected} characters; this has {found}.',
  'near-character': 'The character {character} at {position} cannot stand in it.',
  'near-checksum': 'Its check digit would be {expected}; this has {found}.',
  'near-uuid': '{problem}',
} as const;

export type MessageKey = keyof typeof MESSAGES;

/** A sentence as its key and values, and in English. */
export interface Message {
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, string>>;
  readonly text: string;
}

export function message(key: MessageKey, values: Readonly<Record<string, string>> = {}): Message {
  const text: string = MESSAGES[key];
  const filled = text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
    : text;
  return { key, values, text: filled };
}
