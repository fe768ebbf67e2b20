// Texts that people paste, with the reading expected for each: examples that were published, with the place where they
// stand, and texts that are none. Data for tests, of the library, the page and the terminal alike; not part of the package.
import type { Certainty, FormatName } from './index.js';

/** How a text was obtained. */
export type Origin =
  /** It stands at the source, letter for letter: the source was opened there. */
  | 'published'
  /** As it stands at the source, which could not be opened: public programs and documents quote it. */
  | 'quoted'
  /** The source has the same ID in another form: other case or encoding, or without what stands around it here. */
  | 'rewritten'
  /** Made from the layout that the source describes: no published text was found, or a case was missing. */
  | 'computed'
  /** Not an ID. */
  | 'none';

export interface Sample {
  readonly text: string;
  /** The first reading; null when nothing recognises the text. */
  readonly first: FormatName | null;
  readonly certainty: Certainty | null;
  /** What it was made as, where the first reading cannot know: it is among the readings. */
  readonly made: FormatName | null;
  /** How its time begins. */
  readonly iso: string | null;
  /** Whether the source itself tells that time; elsewhere the layout gives it. */
  readonly isTimeTold: boolean;
  readonly origin: Origin;
  readonly source: string;
}

/** By which the times of the samples are judged. */
export const CORPUS_NOW = Date.UTC(2026, 10, 18);

/** A time after `~` is what the layout gives; the source does not tell it. */
type Row = readonly [text: string, iso?: string | null, first?: FormatName, certainty?: Certainty];

interface Source {
  readonly origin: Origin;
  readonly source: string;
}

/** `owner/repository: path` is on GitHub. */
const published = (source: string): Source => ({ origin: 'published', source });
const quoted = (source: string): Source => ({ origin: 'quoted', source });
const rewritten = (source: string): Source => ({ origin: 'rewritten', source });
const computed = (source: string): Source => ({ origin: 'computed', source });

/** Samples of one format; a row that names another format is one that cannot be told from it. */
function of(
  made: FormatName,
  certainty: Certainty,
  { origin, source }: Source,
  ...rows: readonly Row[]
): Sample[] {
  return rows.map(([text, time = null, first = made, level = certainty]) => ({
    text,
    first,
    certainty: level,
    made,
    iso: time?.replace('~', '') ?? null,
    isTimeTold: time !== null && !time.startsWith('~') && origin !== 'computed',
    origin,
    source,
  }));
}

/** The tests of another tool that recognises IDs. */
const UUINFO = published('Racum/uuinfo: src/id_format_tests.rs');
/** The draft that became RFC 9562, in the repository of its working group. */
const DRAFT = published('ietf-wg-uuidrev/rfc4122bis: draft-ietf-uuidrev-rfc4122bis.md');
const RAMSEY = published('ramsey/uuid: tests/UuidTest.php');
const DOTNET = published(
  'dotnet/runtime: src/libraries/System.Runtime/tests/System.Runtime.Tests/System/GuidTests.cs',
);
/** Boost.Uuid and others test the vectors of its appendices. */
const RFC = (part: string) => quoted(`RFC 9562 ${part}`);

// biome-ignore format: a table, one text a row
const UUIDS: readonly Sample[] = [
  ...of('uuid-v1', 'likely', RFC('A.1'), ['C232AB00-9414-11EC-B3C8-9F6BDECED846', '2022-02-22T19:22:22.0000000Z']),
  ...of('uuid-v1', 'likely', RAMSEY, ['urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6', '~1997-02-03']),
  ...of('uuid-v1', 'likely', DRAFT, ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '~1998-02-04T22:13:53.151182']),
  ...of('uuid-v1', 'likely', UUINFO, ['16689a10-a518-11ef-aa74-4ec6089be97a']),
  ...of('uuid-v2', 'likely', UUINFO, ['215d3d9f-e980-2cf4-9191-7dd485ba4fee']),
  ...of('uuid-v2', 'likely', published('ramsey/uuid: docs/rfc4122/version2.rst'), ['000001f5-5e9a-21ea-9e00-0242ac130003', '2020-03-05T04:30:10']),
  ...of('uuid-v2', 'likely', quoted('public tests of validators, its maker unknown; the layout in DCE 1.1: Authentication and Security Services'), ['000003e8-2363-21ed-b200-325096b39f47', '~2022-08-24']),
  ...of('uuid-v3', 'likely', DRAFT, ['5df41881-3aed-3515-88a7-2f4a814cf09e']),
  ...of('uuid-v3', 'likely', published('python/cpython: Lib/uuid.py'), ['6fa459ea-ee8a-3ca4-894e-db77e160355e']),
  ...of('uuid-v3', 'likely', UUINFO, ['6fc22fc2-8e36-3ab9-888f-d6fbd3af370a']),
  ...of('uuid-v4', 'likely', DRAFT, ['919108f7-52d1-4320-9bac-f847db4148a8']),
  ...of('uuid-v4', 'likely', DOTNET, ['{a8a110d5-fc49-43c5-bf46-802db8f843ff}'], ['a8a110d5fc4943c5bf46802db8f843ff']),
  ...of('uuid-v4', 'likely', published('python/cpython: Lib/uuid.py'), ['16fd2706-8baf-433b-82eb-8c7fada847da']),
  ...of('uuid-v5', 'likely', DRAFT, ['2ed6657d-e927-568b-95e1-2665a8aea6a2']),
  ...of('uuid-v5', 'likely', published('python/cpython: Lib/uuid.py'), ['886313e1-3b8a-5372-9b90-0c9aee199e5d']),
  ...of('uuid-v5', 'likely', UUINFO, ['26ad69ad-4c50-5737-bb66-bd46328ecf8a']),
  ...of('uuid-v6', 'likely', RFC('A.5'), ['1EC9414C-232A-6B00-B3C8-9F6BDECED846', '2022-02-22T19:22:22.0000000Z']),
  ...of('uuid-v6', 'likely', DRAFT, ['1EC9414C-232A-6B00-B3C8-9E6BDECED846', '2022-02-22T19:22:22.0000000Z']),
  ...of('uuid-v6', 'likely', quoted('uuidjs/uuid: README.md'), ['1e940672-c5ea-64c0-9b5d-ab8dfbbd4bed']),
  ...of('uuid-v6', 'likely', UUINFO, ['1efa519c-2b25-6fd0-8fa1-610b58ceebbe']),
  ...of('uuid-v7', 'likely', DRAFT, ['017F22E2-79B0-7CC3-98C4-DC0C0C07398F', '2022-02-22T19:22:22.000Z']),
  ...of('uuid-v7', 'likely', rewritten('RFC 9562 A.6'), ['urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '2022-02-22T19:22:22.000Z'], ['017f22e279b07cc398c4dc0c0c07398f', '2022-02-22T19:22:22.000Z']),
  ...of('uuid-v7', 'likely', UUINFO, ['01933b8c-7875-7b8e-b5fa-bb500eb8bb38']),
  ...of('uuid-v7', 'likely', computed('RFC 9562 §5.7'), ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', '2025-01-01T00:00:00.000Z']),
  ...of('uuid-v8', 'likely', DRAFT, ['6D6320C3-D4DC-8C00-8EC9-32D5F69181C0'], ['5c146b14-3c52-8afd-938a-375d0df1fbf6']),
  ...of('uuid-v8', 'likely', RFC('B.1'), ['2489E9AD-2EE2-8E00-8EC9-32D5F69181C0']),
  ...of('uuid-v8', 'likely', UUINFO, ['4a0b86fe-afe0-86b9-8b1e-3375b2be3580']),
  ...of('uuid-nil', 'likely', DRAFT, ['00000000-0000-0000-0000-000000000000']),
  ...of('uuid-nil', 'likely', DOTNET, ['{00000000-0000-0000-0000-000000000000}'], ['00000000000000000000000000000000']),
  ...of('uuid-max', 'likely', DRAFT, ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF']),
  ...of('uuid-max', 'likely', RAMSEY, ['urn:uuid:ffffffff-ffff-ffff-ffff-ffffffffffff'], ['ffffffffffffffffffffffffffffffff']),
  ...of('uuid-ncs', 'likely', quoted('lists of DCE/RPC interfaces: rpcrt4.dll'), ['333a2276-0000-0000-0d00-00809c000000', '~1987-']),
  ...of('uuid-ncs', 'likely', rewritten('https://en.wikipedia.org/wiki/Universally_unique_identifier: 34dc23469000.0d.00.00.7c.5f.00.00.00'), ['34dc2346-9000-0000-0d00-007c5f000000', '~1987-']),
  ...of('uuid-ncs', 'unlikely', UUINFO, ['906b4e7f-84a3-a0ed-1191-2dea8b497113']),
  ...of('uuid-microsoft', 'likely', published('https://learn.microsoft.com/dotnet/api/stdole.iunknown'), ['00000000-0000-0000-C000-000000000046']),
  ...of('uuid-microsoft', 'likely', published('https://learn.microsoft.com/openspecs/windows_protocols/ms-oaut, 1.9 Standards Assignments'), ['{00020400-0000-0000-C000-000000000046}'], ['{0000002F-0000-0000-C000-000000000046}']),
  ...of('uuid-microsoft', 'unlikely', UUINFO, ['4e3b9f31-c9ae-a2ff-D191-1e180a66f92f']),
];

// biome-ignore format: a table, one text a row
const UUID_TEXTS: readonly Sample[] = [
  ...of('uuid-base64', 'likely', published('mongodb/specifications: source/bson-corpus/tests/binary.json'), ['c//SZESzTGmQ6OfR38A11A==']),
  ...of('uuid-base64', 'likely', RAMSEY, ['a6e4EJ2tEdGAtADAT9QwyA==', '~1998-02-04T22:13:53'], ['60JAJm9UTvik0Ltlih/Gzw==']),
  ...of('uuid-base64url', 'likely', published('nyris/shortguid-rs: README.md'), ['yaZG05xhTLe_ze4lIsj2Mw']),
  ...of('uuid-base64url', 'likely', rewritten('RFC 9562 A.5, by RFC 4648 §5'), ['HslBTCMqawCzyJ9r3s7YRg', '2022-02-22T19:22:22']),
  ...of('uuid-base64url', 'possible', UUINFO, ['UHKjBazX_UG8dEAJaikK1g']),
  ...of('uuid-base58', 'likely', published('oculus42/short-uuid: README.md'), ['mhvXdrZT4jP5T8vBxuvm75'], ['73WakrfVbNJBaAmhQtEeDv']),
  ...of('uuid-base58', 'likely', rewritten('RFC 9562 A.1'), ['Qys2KsgsAKw9ZKupo76FCh', '2022-02-22T19:22:22']),
  ...of('uuid25', 'likely', published('uuid25/rust: README.md'), ['8dx554y5rzerz1syhqsvsdw8t'], ['dpoadk8izg9y4tte7vy1xt94o'], ['ef1zh7jc64vprqez41vbwe9km']),
  ...of('shortuuid', 'likely', published('skorokithakis/shortuuid: shortuuid/test_shortuuid.py'), ['CXc85b4rqinB7s5J52TRYb']),
  ...of('shortuuid', 'likely', UUINFO, ['32CQvwbvpbnkmkhhguznVH']),
  ...of('shortuuid', 'possible', quoted('skorokithakis/shortuuid: README.md, of a v5'), ['exu3DTbj2ncsn9tLdLWspw']),
  ...of('uuid-decimal', 'likely', UUINFO, ['2093703425379131962944436515747969848']),
  ...of('uuid-decimal', 'likely', RAMSEY, ['143098242404177361603877621312831893704', '~1998-02-04T22:13:53'], ['312712571721458096795100956955942831823']),
  ...of('uuid-0x', 'unlikely', quoted('the MySQL reference manual: UUID_TO_BIN, as its client prints binary values; its time is before there were UUIDs'), ['0x6CCD780CBABA102695645B8C656024DB']),
  ...of('uuid-0x', 'likely', rewritten('RFC 9562 A.6, A.5'), ['0x017f22e279b07cc398c4dc0c0c07398f', '2022-02-22T19:22:22'], ['0x1EC9414C232A6B00B3C89F6BDECED846', '2022-02-22T19:22:22']),
  ...of('uuid-csharp', 'likely', quoted('dotnet/docs: Guid.Parse, the example'), ['{0xCA761232, 0xED42, 0x11CE, {0xBA, 0xCD, 0x00, 0xAA, 0x00, 0x57, 0xB2, 0x23}}']),
  ...of('uuid-csharp', 'likely', DOTNET, ['{0xa8a110d5,0xfc49,0x43c5,{0xbf,0x46,0x80,0x2d,0xb8,0xf8,0x43,0xff}}']),
  ...of('uuid-csharp', 'likely', quoted('https://learn.microsoft.com/dotnet/api/system.guid.tostring, the format X'), ['{0x00000000,0x0000,0x0000,{0x00,0x00,0x00,0x00,0x00,0x00,0x00,0x00}}']),
  ...of('uuid-csharp', 'likely', DOTNET, ['{0xFFFFFFFF,0xFFFF,0xFFFF,{0xFF,0xFF,0xFF,0xFF,0xFF,0xFF,0xFF,0xFF}}']),
];

// biome-ignore format: a table, one text a row
const SORTABLE: readonly Sample[] = [
  ...of('ulid', 'likely', published('ulid/spec: README.md'), ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '~2016-07-30T23:54:10.259Z'], ['01BX5ZZKBKACTAV9WEVGEMMVRZ']),
  ...of('ulid', 'likely', published('ulid/javascript: README.md'), ['01ARYZ6S41TSV4RRFFQ69G5FAV', '2016-07-30T22:36:16.385Z']),
  ...of('ulid', 'likely', rewritten('ulid/spec: README.md'), ['01arz3ndektsv4rrffq69g5fav', '~2016-07-30T23:54:10.259Z']),
  ...of('ulid', 'likely', UUINFO, ['01JCXSGZMZQQJ2M93WC0T8KT02']),
  ...of('upid', 'likely', published('carderne/upid: README.md'), ['user_2accvpp5guht4dts56je5a', '2024-07-07']),
  ...of('upid', 'likely', UUINFO, ['abcd_2adnrb7b6jkyos6xusvmaa']),
  ...of('upid', 'unlikely', published('carderne/upid: py/tests/test_core.py, the last that there is'), ['zzzz_zzzzzzzzzzzzzzzzzzzzjj']),
  ...of('typeid', 'likely', published('jetify-com/typeid: README.md'), ['prefix_01h2xcejqtf2nbrexx3vqjhp41', '~2023-06-14T16:40:03.066Z']),
  ...of('typeid', 'likely', published('jetify-com/typeid: spec/valid.json'), ['prefix_01h455vb4pex5vsknk084sn02q', '~2023-06-30T03:34:18.518Z'], ['pre_fix_00000000000000000000000000']),
  ...of('ksuid', 'likely', published('segmentio/ksuid: README.md'), ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', '2017-10-10T04:00:47Z'], ['0ujzPyRiIAffKhBux4PvQdDqMHY', '2017-10-10T04:46:20Z'], ['0uk1Hbc9dQ9pxyTqJ93IUrfhdGq', '2017-10-10T05:01:40Z']),
  ...of('xid', 'likely', published('rs/xid: id_test.go'), ['9m4e2mr0ui3e8a215n4g', '2011-03-22T17:50:19Z'], ['c6e52g2mrqcjl44hf170']),
  ...of('xid', 'likely', quoted('https://blog.kowalczyk.info/article/JyRZ/generating-good-unique-ids-in-go.html'), ['b50vl5e54p1000fo3gh0']),
  ...of('xid', 'likely', UUINFO, ['cst4p962941gd9baqg70']),
  ...of('mongodb-object-id', 'likely', quoted('https://www.mongodb.com/docs/manual/reference/method/ObjectId.getTimestamp'), ['507c7f79bcf86cd7994f6c0e', '2012-10-15T21:26:17Z']),
  ...of('mongodb-object-id', 'likely', quoted('https://www.mongodb.com/docs/manual/reference/method/ObjectId'), ['507f1f77bcf86cd799439011', '~2012-10-17T21:13:27Z']),
  ...of('mongodb-object-id', 'likely', published('mongodb/docs: source/reference/method/ObjectId.txt'), ['ObjectId("507f191e810c19729de860ea")', '~2012-10-17T20:46:22Z'], ['507f191e810c19729de860ea', '~2012-10-17T20:46:22Z']),
  ...of('mongodb-object-id', 'likely', UUINFO, ['6592008029c8c3e4dc76256c']),
  ...of('scru128', 'likely', published('scru128/javascript: README.md'), ['036Z951MHJIKZIK2GSL81GR7L', '~2022-03-19']),
  ...of('scru128', 'likely', quoted('scru128/rust: src/lib.rs'), ['036z951mhzx67t63mq9xe6q0j', '~2022-03-19']),
  ...of('scru128', 'likely', UUINFO, ['03cwivkme1qhj3crprqujv4lu']),
  ...of('scru64', 'likely', published('scru64/spec: README.md'), ['0u375nxqh5cq', '~2023-03-']),
  ...of('scru64', 'likely', published('scru64/javascript: README.md'), ['0u2r85hm2pt3', '~2023-']),
  ...of('scru64', 'likely', UUINFO, ['0v20wcjrb21p']),
  ...of('timeflake', 'likely', published('anthonynsimon/timeflake: README.md'), ['02i2XhN7hAuaFh3MwztcMd', '2020-01-17T15:30:30.563Z']),
  ...of('timeflake', 'likely', published('anthonynsimon/timeflake: tests/test_timeflake.py'), ['02i1KoFfY3auBS745gImbZ', '2020-01-15T12:38:55.216Z']),
  ...of('timeflake', 'likely', rewritten('making/timeflake4j: README.md, without the 0'), ['02lSUuPgi2bGXfZde730O2', '2021-01-23T12:10:25.395Z']),
  ...of('boundary-flake', 'likely', published('boundary/flake: readme.md'), ['8HFaR8qWtRlGDHnO57', '~2012-01-12'], ['8HFaR8qAulTgCBd6Wp', '~2012-01-12'], ['8HFaR8qWtRlGDHnO52', '~2012-01-12']),
  ...of('tsid', 'likely', published('f4b6a3/tsid-creator: README.md'), ['01226N0640J7Q', '~2020-04-15'], ['01226N0693HDA', '~2020-04-15']),
  ...of('tsid', 'likely', UUINFO, ['0J4AEXRN106Z0']),
  ...of('firebase-push-id', 'likely', published('https://firebase.blog/posts/2015/02/the-2120-ways-to-ensure-unique_68'), ['-JhLeOlGIEjaIOFHR0xd', '~2015-02-04'], ['-JhQ76OEK_848CkIFhAq', '~2015-02-05'], ['-JhQ7APk0UtyRTFO9-TS', '~2015-02-05']),
  ...of('bluesky-tid', 'likely', published('mary-ext/atcute: packages/utilities/tid/README.md'), ['3l25zusnsfctk', '2024-08-20T16:31:35.793000Z'], ['3l25zusnsfck2', '2024-08-20T16:31:35.793000Z']),
  ...of('bluesky-tid', 'likely', published('bluesky-social/atproto: interop-test-files/syntax/tid_syntax_valid.txt'), ['3jzfcijpj2z2a', '~2023-06-30']),
  ...of('cuid', 'likely', published('paralleldrive/cuid: README.md'), ['cjld2cjxh0000qzrmn831i7rn', '~2018-'], ['cjld2cyuq0000t3rmniod1foy', '~2018-']),
  ...of('cuid', 'likely', rewritten('paralleldrive/cuid: README.md: c - h72gsb32 - 0000 - udoc - l363eofy'), ['ch72gsb320000udocl363eofy', '~2012-09-13']),
  ...of('cuid', 'likely', UUINFO, ['cm3xemk9o00070cm7ghnl6toe', '~2024-11-25']),
  ...of('puid', 'likely', published('pid/puid: README.md'), ['he5fps6l2504cd1w3ag8ut8e', '~2013-03-11'], ['hgqy29gr11cm2504cdf8rg7q', '~2013-05-15']),
  ...of('puid', 'likely', computed('pid/puid: README.md, the nanosecond after its example'), ['he5fps6l2504cd1w3ag8ut8f', '2013-03-11']),
];

// biome-ignore format: a table, one text a row
const SNOWFLAKES: readonly Sample[] = [
  ...of('discord-snowflake', 'possible', quoted('https://discord.com/developers/docs/reference#snowflakes'), ['175928847299117063', '2016-04-30T11:18:25.796Z']),
  ...of('discord-snowflake', 'possible', published('discord/discord-api-docs: docs/Reference.md'), ['80351110224678912', '~2015-']),
  ...of('discord-snowflake', 'possible', quoted('discord/discord-api-docs: docs/resources/Guild.md'), ['197038439483310086', '~2016-']),
  ...of('discord-snowflake', 'likely', rewritten('https://discord.com/developers/docs/reference#snowflakes: an address names the site'), ['https://discord.com/channels/41771983423143937/127121515262115840/175928847299117063', '2016-04-30T11:18:25.796Z']),
  ...of('twitter-snowflake', 'likely', published('https://docs.x.com/x-api/posts/lookup/quickstart'), ['https://x.com/XDevelopers/status/1228393702244134912', '2020-02-14T19:00:55']),
  ...of('twitter-snowflake', 'possible', quoted('https://developer.x.com/docs, created_at of the example'), ['1212092628029698048', '2019-12-31T19:26:16', 'discord-snowflake']),
  ...of('twitter-snowflake', 'likely', quoted('https://developer.x.com/docs, created_at of the example'), ['https://twitter.com/TwitterDev/status/1212092628029698048', '2019-12-31T19:26:16']),
  ...of('twitter-snowflake', 'possible', UUINFO, ['1777150623882019211']),
  ...of('instagram-id', 'likely', published('https://stackoverflow.com/questions/63683015'), ['2384288897814875714', '2020-08-26T13:43:27'], ['2383568809444681765', '2020-08-25T13:52:46']),
  ...of('instagram-id', 'possible', UUINFO, ['1671390786412876801']),
  ...of('mastodon-id', 'possible', published('mastodon/documentation: content/en/entities/Status.md, content/en/methods/statuses.md'), ['103270115826048975', '2019-12-08T03:48:33', 'discord-snowflake'], ['103254962155278888', '2019-12-05T11:34:47', 'discord-snowflake']),
  ...of('mastodon-id', 'likely', rewritten('mastodon/documentation: content/en/entities/Status.md: an address names the site'), ['https://mastodon.social/@trwnh/103270115826048975', '2019-12-08T03:48:33']),
  ...of('tiktok-id', 'possible', published('https://dfir.blog/tinkering-with-tiktok-timestamps; obsidianforensics/unfurl: parse_tiktok.py'), ['6854717870488702213', '2020-07-29T02:06:1']),
  ...of('tiktok-id', 'likely', rewritten('https://dfir.blog/tinkering-with-tiktok-timestamps: an address names the site'), ['https://www.tiktok.com/@billnye/video/6854717870488702213', '2020-07-29T02:06:1']),
  ...of('tiktok-id', 'possible', computed('https://dfir.blog/tinkering-with-tiktok-timestamps'), ['7318520935921110277', '2023-12-30']),
  ...of('linkedin-id', 'likely', quoted('https://learn.microsoft.com/linkedin/compliance'), ['urn:li:activity:6422861848709726123', '2018-07-11']),
  ...of('linkedin-id', 'likely', published('obsidianforensics/unfurl: tests/unit/test_linkedin.py'), ['https://www.linkedin.com/messaging/thread/6685980502161199104/', '2020-07-06T18:59:31.226Z']),
  ...of('linkedin-id', 'possible', UUINFO, ['7256902784527069184', null, 'tiktok-id']),
  ...of('sonyflake', 'possible', UUINFO, ['540226260526170119', null, 'discord-snowflake']),
  ...of('sonyflake', 'possible', rewritten('obsidianforensics/unfurl: tests/unit/test_sonyflake.py: 45eec4a4600041b'), ['314948827708654619', '2020-08-12T17:35:29.98', 'instagram-id']),
  ...of('sonyflake', 'possible', computed('sony/sonyflake: README.md'), ['511764143800322567', '2024-05-01T12:00:00.000Z', 'discord-snowflake'], ['604970302832841268', '2026-02-03T12:00:00.000Z', 'discord-snowflake']),
  ...of('spaceflake', 'possible', published('kkrypt0nn/spaceflake: README.md'), ['144328692659220481', null, 'discord-snowflake']),
  ...of('spaceflake', 'possible', UUINFO, ['1015189130756840860', null, 'discord-snowflake']),
  ...of('spaceflake', 'possible', computed('kkrypt0nn/spaceflake: README.md'), ['1015192792072869372', '2022-09-02T09:33:43.000Z', 'discord-snowflake']),
  ...of('frostflake', 'possible', published('ordo-one/package-frostflake: README.md'), ['7423342004626526207', '2024-10-08T09:58:17Z'], ['JERHwh5PXjL', '2024-10-08T09:58:17Z']),
  ...of('frostflake', 'unlikely', published('ordo-one/package-frostflake: README.md; its time is before its first release'), ['FungET5sN9j', '~2017-05-23', 'sqids-or-hashids']),
  ...of('frostflake', 'possible', computed('ordo-one/package-frostflake: README.md'), ['7301444403200002049', '2023-11-14T22:13:20Z']),
  ...of('tsid-number', 'possible', published('f4b6a3/tsid-creator: README.md'), ['38352658567418872', '~2020-04-15', 'discord-snowflake'], ['38352658573940759', '~2020-04-15', 'instagram-id']),
  ...of('tsid-number', 'possible', UUINFO, ['653390205760314336', null, 'discord-snowflake']),
  ...of('unix-seconds', 'likely', UUINFO, ['1734971723', '~2024-12-23T16:35:23Z']),
  ...of('unix-seconds', 'likely', published('https://dfir.blog/tinkering-with-tiktok-timestamps, createTime'), ['1595988377', '2020-07-29T02:06:17Z']),
  ...of('unix-seconds', 'likely', computed('POSIX.1, seconds since the Epoch'), ['1000000000', '2001-09-09T01:46:40Z']),
  ...of('unix-milliseconds', 'likely', UUINFO, ['1734971723000', '~2024-12-23T16:35:23.000Z']),
  ...of('unix-milliseconds', 'likely', published('anthonynsimon/timeflake: README.md'), ['1579275030563', '~2020-01-17T15:30:30.563Z']),
  ...of('unix-milliseconds', 'likely', computed('POSIX.1, seconds since the Epoch'), ['1735689600000', '2025-01-01T00:00:00.000Z']),
  ...of('unix-microseconds', 'likely', UUINFO, ['1734971723000000', '~2024-12-23T16:35:23.000000Z']),
  ...of('unix-microseconds', 'likely', published('mary-ext/atcute: packages/utilities/tid/README.md'), ['1724171495793000', '~2024-08-20T16:31:35.793000Z']),
  ...of('unix-microseconds', 'likely', computed('POSIX.1, seconds since the Epoch'), ['1735689600123456', '2025-01-01T00:00:00.123456Z']),
  ...of('unix-nanoseconds', 'likely', UUINFO, ['1734971723000000000', '~2024-12-23T16:35:23.000000000Z']),
  ...of('unix-nanoseconds', 'likely', published('ietf-wg-uuidrev/rfc4122bis: draft-ietf-uuidrev-rfc4122bis.md, the test vectors'), ['1645557742000000000', '2022-02-22T19:22:22.000000000Z']),
  ...of('unix-nanoseconds', 'possible', computed('POSIX.1, seconds since the Epoch'), ['1735689600123456789', '2025-01-01T00:00:00.123456789Z', 'twitter-snowflake']),
];

// biome-ignore format: a table, one text a row
const OTHERS: readonly Sample[] = [
  ...of('cuid2', 'possible', published('paralleldrive/cuid2: README.md'), ['tz4a98xxat96iws9zmbrgj3a'], ['pfh0haxfpzowht3oi213cqos'], ['nc6bzmkmd014706rfda898to']),
  ...of('nanoid', 'possible', published('ai/nanoid: README.ko.md'), ['V1StGXR8_Z5jdHi6B-myT'], ['LZfXLFzPPR4NNrgjlWDxn']),
  ...of('nanoid', 'possible', UUINFO, ['XBCdxzsCR2FEFeSwhnjCo']),
  ...of('nuid', 'possible', quoted('the README of its port to OCaml; nats-io/nuid describes the form'), ['TPxizw6qtJTWCsj6NQRTZt'], ['0fmL4InTGejJB8FVu1lU2v']),
  ...of('nuid', 'possible', UUINFO, ['EQyuCsA4ysv7ezXReOrk4i']),
  ...of('sqids-or-hashids', 'unlikely', quoted('vinkla/hashids: README.md'), ['o2fXhV']),
  ...of('sqids-or-hashids', 'unlikely', published('sqids/sqids-javascript: README.md'), ['86Rf07'], ['86Rf07xd4z'], ['B4aajs']),
  ...of('sqids-or-hashids', 'unlikely', UUINFO, ['80JTEquWr']),
  ...of('youtube-video-id', 'possible', quoted('https://www.youtube.com'), ['dQw4w9WgXcQ']),
  ...of('youtube-video-id', 'possible', UUINFO, ['gocwRvLhDf8']),
  ...of('youtube-video-id', 'likely', rewritten('https://www.youtube.com: an address names the site'), ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s'], ['https://youtu.be/gocwRvLhDf8']),
  ...of('stripe-id', 'likely', published('stripe/openapi: openapi/fixtures3.yaml'), ['cus_NZbFQAsc0ptasX'], ['ch_1MoS30LgUG5tbmjcjfsQqpHI'], ['sub_1MoqxHLgUG5tbmjcG8lOfx2N']),
  ...of('stripe-id', 'likely', quoted('https://docs.stripe.com/api'), ['pi_3MtwBwLkdIwHu7ix28a3tqPa']),
  ...of('prefixed-id', 'possible', quoted('https://api.svix.com/docs'), ['msg_1srOrx2ZWZBpBUvZwXKQmoEYga2'], ['app_1srOrx2ZWZBpBUvZwXKQmoEYga2'], ['ep_1srOrx2ZWZBpBUvZwXKQmoEYga2']),
  ...of('slack-ts', 'likely', published('slackapi/slack-api-specs: web-api/slack_web_openapi_v2.json'), ['1358546515.000008', '~2013-01-18T22:01:55.000008Z']),
  ...of('slack-ts', 'likely', quoted('https://docs.slack.dev/reference, the examples of events and methods'), ['1482960137.003543', '~2016-12-28T21:22:17.003543Z']),
  ...of('slack-ts', 'likely', rewritten('https://docs.slack.dev/reference, chat.postMessage: 1503435956.000247 in an address'), ['https://example.slack.com/archives/C1H9RESGL/p1503435956000247', '~2017-08-22T21:05:56.000247Z']),
  ...of('w3c-traceparent', 'likely', published('w3c/trace-context: spec/20-http_request_header_format.md'), ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'], ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00']),
  ...of('w3c-traceparent', 'likely', quoted('https://www.w3.org/TR/trace-context'), ['traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']),
  ...of('trace-id', 'likely', quoted('https://www.w3.org/TR/trace-context'), ['0af7651916cd43dd8448eb211c80319c', null, 'uuid-v4']),
  ...of('trace-id', 'possible', published('openzipkin/b3-propagation: README.md'), ['463ac35c9f6413ad48485a3953bb6124', null, 'md5']),
  ...of('trace-id', 'possible', quoted('openzipkin/b3-propagation: README.md, a later version'), ['80f198ee56343ba864fe8b2a57d3eff7', null, 'md5']),
  ...of('span-id', 'possible', published('w3c/trace-context: spec/20-http_request_header_format.md'), ['00f067aa0ba902b7']),
  ...of('span-id', 'possible', quoted('https://www.w3.org/TR/trace-context'), ['b7ad6b7169203331']),
  ...of('span-id', 'possible', published('openzipkin/b3-propagation: README.md'), ['a2fb4a1d1a96d312']),
  ...of('datadog-trace-id', 'likely', UUINFO, ['6772800700000000d97a8af26532e259', '~2024-12-30T11:12:07Z']),
  ...of('datadog-trace-id', 'likely', published('DataDog/system-tests: tests/parametric/test_128_bit_traceids.py'), ['640cfd8d00000000abcdefab12345678', '~2023-03-11T22:15:41Z']),
  ...of('datadog-trace-id', 'likely', quoted('public recordings of its headers, with _dd.p.tid=66c4e3e900000000'), ['66c4e3e900000000739a4c4f1e3d8c9c', '~2024-08-20']),
  ...of('md5', 'possible', quoted('RFC 1321 A.5; computed again'), ['d41d8cd98f00b204e9800998ecf8427e'], ['0cc175b9c0f1b6a831c399e269772661'], ['900150983cd24fb0d6963f7d28e17f72']),
  ...of('sha1', 'possible', quoted('FIPS 180-4, the examples of NIST; computed again'), ['a9993e364706816aba3e25717850c26c9cd0d89d'], ['da39a3ee5e6b4b0d3255bfef95601890afd80709'], ['84983e441c3bd26ebaae4aa1f95129e5e54670f1']),
  ...of('sha224', 'possible', quoted('FIPS 180-4, the examples of NIST; computed again'), ['23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7'], ['d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f'], ['75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525']),
  ...of('sha256', 'possible', quoted('FIPS 180-4, the examples of NIST; computed again'), ['ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'], ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'], ['248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1']),
  ...of('sha384', 'possible', quoted('FIPS 180-4, the examples of NIST; computed again'), ['cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7'], ['09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039'], ['38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b']),
  ...of('sha512', 'possible', quoted('FIPS 180-4, the examples of NIST; computed again'), ['ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f'], ['8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909'], ['cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e']),
  ...of('ipfs-cid', 'likely', UUINFO, ['QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR'], ['bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'], ['k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8']),
  ...of('ipfs-cid', 'likely', published('multiformats/cid: README.md'), ['zb2rhe5P4gXftAwvA4eXQ5HJwsER2owDyS9sKaQRRVQPn93bA']),
  ...of('ipfs-cid', 'likely', quoted('ipld/py-cid: the tests'), ['zdj7WhuEjrB52m1BisYCtmjH1hSKa7yZ3jEZ9JcXaFRD51wVz']),
  ...of('mac-address', 'likely', quoted('RFC 7042 §2.1.2, for documents'), ['00-00-5E-00-53-AF']),
  ...of('mac-address', 'likely', quoted('documents of many makers; the dots are of Cisco'), ['00:1a:2b:3c:4d:5e'], ['001a.2b3c.4d5e']),
  ...of('ipv4-address', 'likely', quoted('RFC 5737, RFC 1918, RFC 1122'), ['192.0.2.1'], ['10.0.0.1'], ['127.0.0.1']),
  ...of('ipv6-address', 'likely', quoted('RFC 4291 §2.2'), ['::1'], ['::FFFF:129.144.52.38'], ['ABCD:EF01:2345:6789:ABCD:EF01:2345:6789']),
  ...of('ipv6-address', 'likely', rewritten('RFC 4291 §2.2'), ['2001:db8::8:800:200c:417a']),
  ...of('isbn-13', 'likely', quoted('https://en.wikipedia.org/wiki/ISBN'), ['978-3-16-148410-0'], ['ISBN 978-0-306-40615-7']),
  ...of('isbn-13', 'likely', UUINFO, ['9780553382570']),
  ...of('isbn-10', 'likely', quoted('https://en.wikipedia.org/wiki/ISBN'), ['0-306-40615-2']),
  ...of('isbn-10', 'likely', rewritten('public tests of validators: 0-8044-2957-X'), ['ISBN-10: 0-8044-2957-X']),
  ...of('isbn-10', 'possible', UUINFO, ['0553382578']),
];

// biome-ignore format: a table, one text a row
const OURS: readonly Sample[] = [
  ...of('kazahana-id', 'possible', computed('docs/ids.md: 2026-11-14T08:30:00Z, machine ID 5'), ['115005299097601287', '2026-11-14T08:30:00.000Z'], ['0x19894b5d0000507', '2026-11-14T08:30:00.000Z']),
  ...of('kazahana-id', 'possible', computed('docs/ids.md: the same, fallback'), ['115005299099698439', '2026-11-14T08:30:00.000Z']),
  ...of('external-id', 'likely', computed('docs/external-ids.md, of the same and others, without a secret'), ['rmWMOny8JZo', '2026-11-14T08:30:00.000Z'], ['ZM-JEX2rQhY', '2026-11-14T08:30:00.000Z'], ['2PzzHvdvJsI', '2026-03-03T00:00:00.000Z']),
  ...of('estelle-conversation', 'possible', computed('docs/estelle.md'), ['8786953'], ['8786954'], ['4459524']),
  ...of('estelle-workspace', 'possible', computed('docs/estelle.md'), ['8581'], ['8582'], ['4355']),
  ...of('estelle-client', 'possible', computed('docs/estelle.md'), ['23'], ['16'], ['87']),
  ...of('estelle-pylon', 'possible', computed('docs/estelle.md'), ['3'], ['67'], ['35']),
];

/** Texts that are none: nothing may be read into them. */
// biome-ignore format: a table
const NONE: readonly string[] = [
  '', ' ', '\n', 'hello', 'hello world', 'a text', 'Hello, World!', 'lorem ipsum dolor sit amet', 'JavaScript', 'undefined', 'null', 'true', 'NaN',
  '-1', '1.5', '0x', '1e5', '12:30', '2026-11-18', '2026-11-18T12:00:00Z', 'v1.2.3', 'user@example.com', 'https://example.com/', 'https://example.com/about-us',
  '/usr/local/bin', 'C:\\Windows', '{"a": true}', '[]', '()', '""', "'", 'SELECT * FROM users', '風花', 'é', '😀', '\u0000', '\ud800', '999.999.999.999', '1.2.3.4.5',
  '12:34:56:78:9a', ':::', 'gg:gg:gg:gg:gg:gg', '978-0-306-40615-8', 'x'.repeat(100), 'x'.repeat(1000), 'https://example.com/?q=hello', 'key=value', 'user_hello',
  '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag', '01941f29-7c00-9aaa-aaaa-aaaaaaaaaaaa', '01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa', '01ARZ3NDEKTSV4RRFFQ69G5FAU', '100000000000000000000000000000000000000000',
];

export const CORPUS: readonly Sample[] = [
  ...OURS,
  ...UUIDS,
  ...UUID_TEXTS,
  ...SORTABLE,
  ...SNOWFLAKES,
  ...OTHERS,
  ...NONE.map(
    (text): Sample => ({
      text,
      first: null,
      certainty: null,
      made: null,
      iso: null,
      isTimeTold: false,
      origin: 'none',
      source: '',
    }),
  ),
];
