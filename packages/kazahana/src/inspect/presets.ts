// 64-bit IDs of the same family that others make: their epochs and bits, so that one can be told from another.
import { type IdLayout, kazahanaIdLayout, LIB_DEFAULT_EPOCH } from '../id/layout.js';
import { defineLayout, type FieldDefinition, type FieldValue } from '../layout/layout.js';

/** A kind of 64-bit ID that begins with milliseconds since its epoch. */
export interface Preset {
  readonly title: string;
  readonly epoch: number;
  readonly layout: NumberedLayout;
}

/** What an inspector needs of a 64-bit layout: `timestamp` is one of its fields. */
export interface NumberedLayout {
  readonly bits: number;
  describe(id: bigint): ReturnType<ReturnType<typeof kazahanaIdLayout>['describe']>;
}

export type PresetName = 'kazahana' | 'twitter' | 'discord' | 'instagram' | 'unix';

function snowflake(name: string, epoch: number, fields: readonly FieldDefinition[]): NumberedLayout {
  const reading = (value: FieldValue) => new Date(epoch + Number(value)).toISOString();
  const timed = fields.map((field) => (field.name === 'timestamp' ? { ...field, reading } : field));
  return defineLayout({ name, bits: 64, fields: timed }) as unknown as NumberedLayout;
}

const sign = { name: 'reserve', bits: 1, max: 0, reading: () => 'always 0' };
const workers = [
  { name: 'datacenter', bits: 5 },
  { name: 'worker', bits: 5 },
  { name: 'sequence', bits: 12 },
];

const TWITTER_EPOCH = 1_288_834_974_657;
const DISCORD_EPOCH = 1_420_070_400_000;
const INSTAGRAM_EPOCH = 1_314_220_021_721;

/** The presets, with the kazahana layout of a pool of one's own where one is given. */
export function presets(own?: Partial<IdLayout>): Readonly<Record<PresetName, Preset>> {
  const epoch = own?.customEpoch ?? LIB_DEFAULT_EPOCH;
  const kazahana = (customEpoch: number) =>
    kazahanaIdLayout({ ...own, customEpoch }) as unknown as NumberedLayout;
  return {
    kazahana: { title: 'kazahana ID', epoch, layout: kazahana(epoch) },
    twitter: {
      title: 'Twitter snowflake',
      epoch: TWITTER_EPOCH,
      layout: snowflake('Twitter snowflake', TWITTER_EPOCH, [
        sign,
        { name: 'timestamp', bits: 41 },
        ...workers,
      ]),
    },
    discord: {
      title: 'Discord snowflake',
      epoch: DISCORD_EPOCH,
      layout: snowflake('Discord snowflake', DISCORD_EPOCH, [
        { name: 'timestamp', bits: 42 },
        { name: 'worker', bits: 5 },
        { name: 'process', bits: 5 },
        { name: 'increment', bits: 12 },
      ]),
    },
    instagram: {
      title: 'Instagram ID',
      epoch: INSTAGRAM_EPOCH,
      layout: snowflake('Instagram ID', INSTAGRAM_EPOCH, [
        { name: 'timestamp', bits: 41 },
        { name: 'shard', bits: 13 },
        { name: 'sequence', bits: 10 },
      ]),
    },
    unix: { title: 'ID with the Unix epoch', epoch: 0, layout: kazahana(0) },
  };
}
