// UUIDs in other alphabets: the same 128 bits, written shorter, or as a number. That a text is one, its version and variant say.
import { message } from '../messages.js';
import {
  BASE36,
  BASE57,
  BASE58,
  BASE64,
  BASE64URL,
  bytesOf,
  FLICKR58,
  fromBase64,
  fromHex,
  fromRadix,
  hexOf,
} from '../radix.js';
import type { Facts, Format, Match, Shape, Strength } from '../types.js';
import { strengthOfBits, uuidSince } from './uuid.js';
import { describeUuid, type UuidName, uuidNameOf, uuidText } from './uuid-facts.js';

interface TextForm<Name extends string> {
  readonly name: Name;
  readonly title: string;
  /** The name of this form among the other forms of a UUID. */
  readonly form: string;
  readonly shape?: Shape;
  /** It writes bytes, which .NET orders in its own way. */
  readonly isBytes?: true;
  /** Nothing else is written like this. */
  readonly isUnmistakable?: true;
  parse(text: string): bigint | undefined;
  /** The text as it is usually written; as it is, unless said. */
  readonly usual?: (text: string) => string;
}

const END_OF_128_BITS = 2n ** 128n;

/** .NET's `Guid.ToString("X")`: three numbers and eight bytes. */
const CSHARP =
  /^\{\s*0x([0-9a-f]{8})\s*,\s*0x([0-9a-f]{4})\s*,\s*0x([0-9a-f]{4})\s*,\s*\{\s*((?:0x[0-9a-f]{2}\s*,\s*){7}0x[0-9a-f]{2})\s*\}\s*\}$/i;

function fromCsharp(text: string): bigint | undefined {
  const [, a = '', b = '', c = '', bytes = ''] = CSHARP.exec(text) ?? [];
  return fromHex(a + b + c + bytes.replace(/0x|[\s,]/gi, ''));
}

/** A version and a variant of the RFC: all that tells a UUID from other bits. */
const isMarked = (name: UuidName | undefined): name is UuidName =>
  name !== undefined && name !== 'uuid-ncs' && name !== 'uuid-microsoft';

/** Letters and digits of both cases mixed: a word or a number in one alphabet is no UUID in another. */
const isMixed = (text: string) => /[0-9]/.test(text) && /[A-Za-z]/.test(text);

/** .NET keeps the first three numbers of a GUID with their lowest byte first. */
const DOTNET_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/** The 128 bits whose bytes .NET writes in this order. */
function fromDotnetOrder(value: bigint): bigint {
  const bytes = bytesOf(value, 128);
  return BigInt(`0x${DOTNET_ORDER.map((at) => hexOf(BigInt(bytes[at] ?? 0), 8)).join('')}`);
}

/** In Bitcoin's alphabet, or in Flickr's, which `short-uuid` uses: the one that gives the marks of a UUID. */
function fromBase58(text: string): bigint | undefined {
  if (!/^.{21,22}$/.test(text) || !isMixed(text)) return undefined;
  const values = [BASE58, FLICKR58].map((alphabet) => fromRadix(text, alphabet));
  return values.find((value) => value !== undefined && isMarked(uuidNameOf(value))) ?? values[0];
}

const FORMS: readonly TextForm<
  | 'uuid-base64'
  | 'uuid-base64url'
  | 'uuid-base58'
  | 'uuid25'
  | 'shortuuid'
  | 'uuid-decimal'
  | 'uuid-0x'
  | 'uuid-csharp'
>[] = [
  {
    name: 'uuid-base64',
    title: 'base64',
    form: 'base64',
    isBytes: true,
    parse: (text) => (/^[\w+/]{22}==$/.test(text) ? fromBase64(text.slice(0, 22), 128, BASE64) : undefined),
  },
  {
    name: 'uuid-base64url',
    title: 'base64url',
    form: 'base64url',
    isBytes: true,
    parse: (text) =>
      /^[\w-]{22}(?:==)?$/.test(text) ? fromBase64(text.slice(0, 22), 128, BASE64URL) : undefined,
    usual: (text) => text.slice(0, 22),
  },
  {
    // https://github.com/uuid25/javascript
    name: 'uuid25',
    title: 'Uuid25',
    form: 'uuid25',
    usual: (text) => text.toLowerCase(),
    parse: (text) =>
      text.length === 25 && isMixed(text) ? fromRadix(text.toLowerCase(), BASE36) : undefined,
  },
  {
    // https://github.com/skorokithakis/shortuuid
    name: 'shortuuid',
    title: 'ShortUUID',
    form: 'shortuuid',
    parse: (text) => (text.length === 22 && isMixed(text) ? fromRadix(text, BASE57) : undefined),
  },
  {
    name: 'uuid-base58',
    title: 'base58',
    form: 'base58',
    parse: fromBase58,
  },
  {
    name: 'uuid-decimal',
    title: 'a decimal number',
    form: 'decimal',
    parse: (text) => (/^[1-9][0-9]{29,38}$/.test(text) ? BigInt(text) : undefined),
  },
  {
    name: 'uuid-0x',
    title: 'a hexadecimal number',
    form: '0x',
    usual: (text) => text.toLowerCase(),
    parse: (text) => (/^0x[0-9a-f]{32}$/i.test(text) ? BigInt(text) : undefined),
  },
  {
    name: 'uuid-csharp',
    title: 'a C# structure',
    form: 'csharp',
    isUnmistakable: true,
    parse: fromCsharp,
  },
];

export const uuidTextFormats = FORMS.map(
  ({
    name,
    title,
    form,
    isBytes,
    isUnmistakable,
    parse,
    usual = (text) => text,
  }): Format<(typeof FORMS)[number]['name']> => {
    const describe = (value: bigint): Facts => {
      const inner = uuidNameOf(value);
      const facts = describeUuid(inner, value);
      return {
        ...facts,
        text: facts.forms.find((other) => other.name === form)?.text ?? facts.text,
        contains: inner ?? null,
        // Characters of these alphabets do not begin and end with fields.
        segments: [],
        order: 'none',
        forms: [
          { name: 'uuid', text: uuidText(value) },
          ...facts.forms.filter((other) => other.name !== form),
        ],
      };
    };
    const strengthOf = (inner: UuidName, { time }: Facts, now: number): Strength => {
      const since = uuidSince(inner);
      const isWrong = time !== null && (time.unixMs > now || (since !== undefined && time.unixMs < since));
      return isWrong ? 'weak' : strengthOfBits(inner);
    };
    return {
      name,
      title,
      family: 'uuid-text',
      describe,
      recognise(text, { isForced, now }): Match | undefined {
        const value = parse(text);
        if (value === undefined || value >= END_OF_128_BITS) return undefined;
        const inner = uuidNameOf(value);
        const facts = { ...describe(value), text: usual(text) };
        if (isUnmistakable) return { strength: 'certain', facts: describe(value) };
        if (isMarked(inner)) return { strength: strengthOf(inner, facts, now), facts };
        const swapped = fromDotnetOrder(value);
        const dotnet = isBytes ? uuidNameOf(swapped) : undefined;
        if (!isMarked(dotnet) || strengthOfBits(dotnet) !== 'telling') {
          return isForced ? { strength: 'weak', facts } : undefined;
        }
        const other = describe(swapped);
        return {
          strength: strengthOf(dotnet, other, now) === 'weak' ? 'weak' : 'shared',
          facts: { ...other, text: usual(text), notes: [message('note-dotnet-order'), ...other.notes] },
        };
      },
    };
  },
);
