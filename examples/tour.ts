// A tour of the library: a fresh ID of every family, taken apart again. `node tour.ts` runs it;
// `node tour.ts <id> …` takes apart the IDs that are given instead.
import { styleText } from 'node:util';
import { kazahanaIdLayout, minIdAt, toExternalId, toInternalId } from 'kazahana';
import {
  conversationIdToString,
  encodeConversationId,
  encodePylonId,
  encodeWorkspaceId,
} from 'kazahana/estelle';
import { type FieldDescription, uuidLayouts } from 'kazahana/layout';
import { generateMany, generateV1, generateV4, generateV7, validateUuid } from 'kazahana/uuid';

const COLOURS = ['blue', 'yellow', 'cyan', 'magenta', 'green'] as const;

/** One line per field: where it lies, its bits or, when there are many, its digits, and what it means. */
function drawFields(fields: readonly FieldDescription[]): string {
  return fields
    .map(({ name, offset, bits, value, reading }, i) => {
      const drawn =
        bits <= 16
          ? value.toString(2).padStart(bits, '0')
          : `0x${value.toString(16).padStart(Math.ceil(bits / 4), '0')}`;
      const place = bits === 1 ? `${offset}` : `${offset}–${offset + bits - 1}`;
      const coloured = styleText(COLOURS[i % COLOURS.length] ?? 'blue', drawn.padEnd(19));
      return `    ${name.padEnd(10)} ${place.padEnd(8)} ${coloured} ${reading}`;
    })
    .join('\n');
}

function showUuid(uuid: string): void {
  const { isValid, version, normalized, errors, isSupported } = validateUuid(uuid);
  console.log(`  ${uuid}`);
  if (isSupported && version !== null && normalized !== null) {
    const layout = uuidLayouts[version as keyof typeof uuidLayouts];
    console.log(drawFields(layout.describe(BigInt(`0x${normalized.replaceAll('-', '')}`))));
  } else if (isValid) {
    console.log(`    a valid UUID ${version}, which is not taken apart`);
  }
  for (const { code, message, position } of errors) {
    if (position !== undefined) console.log(`  ${' '.repeat(position)}${styleText('yellow', '^')}`);
    console.log(`    ${code}: ${message}`);
  }
}

function showId(id: bigint): void {
  console.log(`  ${id}   in public: ${toExternalId(id)}`);
  console.log(drawFields(kazahanaIdLayout().describe(id)));
}

function show(text: string): void {
  if (/^\d{1,20}$/.test(text)) showId(BigInt(text));
  else if (/^[\w-]{11}$/.test(text)) showId(toInternalId(text));
  else showUuid(text);
}

function tour(): void {
  const heading = (text: string) => console.log(`\n${styleText('bold', text)}`);

  heading('UUID v7: time-ordered, strictly increasing');
  showUuid(generateV7());

  heading('UUID v4: random;  UUID v1: time in 100 ns ticks');
  showUuid(generateV4());
  showUuid(generateV1());

  heading('A wrong UUID: the error points at its character');
  showUuid('24688438-40e1-70d0-d97e-084cfc8992c7');

  heading('A kazahana ID: 64 bits, and what the public sees of it');
  showId(minIdAt(new Date()) + 7n);

  heading('An Estelle ID: environment → device → workspace → conversation, in 24 bits');
  const workspace = encodeWorkspaceId(encodePylonId(2, 3), 12);
  const conversation = encodeConversationId(workspace, 345);
  console.log(`  ${conversation} is ${conversationIdToString(conversation)}`);

  heading('Speed');
  const started = performance.now();
  const count = 1_000_000;
  const last = generateMany('v7', { count }).at(-1);
  const ms = Math.round(performance.now() - started);
  console.log(`  ${count.toLocaleString('en')} UUID v7 in ${ms} ms, the last one ${last}`);
  console.log('\nTake your own apart: node tour.ts 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa');
}

const given = process.argv.slice(2);
if (given.length === 0) tour();
else for (const text of given) show(text);
