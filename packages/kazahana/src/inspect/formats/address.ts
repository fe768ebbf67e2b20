// Addresses of networks: MAC, IPv4, IPv6.
import { machine, numberOf, roleLayout } from '../bits.js';
import { bitFormat } from '../facts.js';
import { type MessageKey, message } from '../messages.js';
import { fromHex, hexOf } from '../radix.js';

const macText = (value: bigint) => hexOf(value, 48).replace(/..\B/g, '$&:');
const MAC =
  /^(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$/i;

/** IEEE 802: the two lowest bits of the first byte say group and local. */
const mac = bitFormat({
  name: 'mac-address',
  title: 'MAC address',
  family: 'address',
  shape: { lengths: [17], alphabet: /[0-9a-f:-]/i },
  layout: roleLayout('MAC address', [
    { name: 'maker', bits: 6, role: 'machine' },
    { name: 'local', bits: 1, role: 'version' },
    { name: 'group', bits: 1, role: 'version' },
    { name: 'makerLow', bits: 16, role: 'machine' },
    { name: 'card', bits: 24, role: 'sequence', reading: (value) => hexOf(BigInt(value), 24) },
  ]),
  parse: (text) => (MAC.test(text) ? fromHex(text.replace(/[:.-]/g, '')) : undefined),
  write: macText,
  strength: 'certain',
  tell: (fields, value) => {
    const isLocal = numberOf(fields, 'local') === 1;
    return {
      randomBits: null,
      maker: isLocal ? null : { field: 'maker', text: macText(value).slice(0, 8) },
      notes: [message(isLocal ? 'note-mac-local' : 'note-mac-universal')],
    };
  },
});

const IPV4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;

const ipv4Value = (text: string) =>
  text.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n);
const ipv4Text = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value / 2n ** shift) % 256n).join('.');

/** https://www.iana.org/assignments/iana-ipv4-special-registry */
const IPV4_KINDS: readonly (readonly [RegExp, MessageKey])[] = [
  [/^127\./, 'note-ip-loopback'],
  [/^(?:10\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.)/, 'note-ip-private'],
  [/^169\.254\./, 'note-ip-link-local'],
  [/^(?:192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)/, 'note-ip-documentation'],
  [/^(?:22[4-9]|23[0-9])\./, 'note-ip-multicast'],
];

const ipv4 = bitFormat({
  name: 'ipv4-address',
  title: 'IPv4 address',
  family: 'address',
  layout: roleLayout('IPv4 address', [machine('a', 8), machine('b', 8), machine('c', 8), machine('d', 8)]),
  parse: (text) => (IPV4.test(text) ? ipv4Value(text) : undefined),
  write: ipv4Text,
  strength: 'certain',
  tell: (_, value) => ({
    randomBits: 0,
    notes: IPV4_KINDS.filter(([pattern]) => pattern.test(ipv4Text(value))).map(([, key]) => message(key)),
  }),
});

/** RFC 4291 §2.2: eight groups, one run of zeros as ::, the last two groups also as IPv4. */
function ipv6Value(given: string): bigint | undefined {
  const text = given.replace(/%[\w.-]{1,32}$/, '');
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return undefined;
  const tail = /^(.*:)([0-9.]+\.[0-9.]+)$/.exec(text);
  const dotted = tail?.[2];
  if (dotted !== undefined && !IPV4.test(dotted)) return undefined;
  const low = dotted === undefined ? '' : hexOf(ipv4Value(dotted), 32);
  const plain = dotted === undefined ? text : `${tail?.[1]}${low.slice(0, 4)}:${low.slice(4)}`;
  const [before = '', after, ...more] = plain.split('::');
  if (more.length > 0) return undefined;
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [left, right] = [groupsOf(before), groupsOf(after ?? '')];
  const missing = 8 - left.length - right.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return fromHex(groups.map((group) => group.padStart(4, '0')).join(''));
}

/** RFC 5952: lower case, no leading zeros, the longest run of zeros as ::. */
function ipv6Text(value: bigint): string {
  const groups = (hexOf(value, 128).match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, ''));
  const text = groups.join(':');
  const [longest] = (text.match(/(?:^|:)0(?::0)+(?=:|$)/g) ?? []).toSorted((a, b) => b.length - a.length);
  return longest === undefined ? text : text.replace(longest, ':').replace(/^:(?!:)|(?<!:):$/, '::');
}

const IPV6_KINDS: readonly (readonly [RegExp, MessageKey])[] = [
  [/^0{31}1$/, 'note-ip-loopback'],
  [/^f[cd]/, 'note-ip-private'],
  [/^fe[89ab]/, 'note-ip-link-local'],
  [/^20010db8/, 'note-ip-documentation'],
  [/^ff/, 'note-ip-multicast'],
];

const ipv6 = bitFormat({
  name: 'ipv6-address',
  title: 'IPv6 address',
  family: 'address',
  layout: roleLayout('IPv6 address', [
    { name: 'network', bits: 64, role: 'machine', reading: (value) => hexOf(BigInt(value), 64) },
    { name: 'interface', bits: 64, role: 'sequence', reading: (value) => hexOf(BigInt(value), 64) },
  ]),
  parse: (text) => (text.includes(':') ? ipv6Value(text) : undefined),
  write: ipv6Text,
  strength: 'certain',
  tell: (_, value) => ({
    randomBits: 0,
    notes: IPV6_KINDS.filter(([pattern]) => pattern.test(hexOf(value, 128))).map(([, key]) => message(key)),
  }),
});

export const addressFormats = [mac, ipv4, ipv6] as const;
