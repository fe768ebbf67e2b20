// `kazahana estelle`: the 24-bit hierarchy, made, read and drawn.
import {
  conversationIdToString,
  decodeConversationIdFull,
  decodeDeviceId,
  decodeWorkspaceId,
  type EnvId,
  encodeClientId,
  encodeConversationId,
  encodePylonId,
  encodeWorkspaceId,
  envName,
  isClientId,
  isConversationId,
  isPylonId,
  isWorkspaceId,
} from 'kazahana/estelle';
import { inputs } from '../inputs.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { quoted, visible } from '../visible.js';

const LEVELS = ['device', 'workspace', 'conversation'] as const;
type Level = (typeof LEVELS)[number];

export interface EstelleFlags {
  readonly as?: Level;
  readonly json?: boolean;
}

interface Decoded {
  readonly level: Level;
  readonly id: number;
  readonly envId: EnvId;
  readonly deviceType: number;
  readonly deviceIndex: number;
  readonly workspaceIndex?: number;
  readonly conversationIndex?: number;
  readonly pylonId?: number;
  readonly workspaceId?: number;
  readonly text?: string;
}

/** A number of any size; whether it is in range, the library says. */
function numberOf(what: string, text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new RangeError(`${what} must be a whole number, got ${quoted(text)}`);
}

/** `env type device [workspace [conversation]]`, each a number but the type. */
function encodeLevels(args: readonly string[]): { id: number; level: Level } {
  const [env = '', type = '', device = '', workspace, conversation] = args;
  if (args.length < 3 || args.length > 5)
    throw new UsageError('the levels are: environment, pylon or client, device, workspace, conversation');
  if (type !== 'pylon' && type !== 'client')
    throw new UsageError(`the type must be pylon or client, got ${quoted(type)}`);
  const envId = numberOf('the environment', env) as EnvId;
  const deviceIndex = numberOf('the device', device);
  if (type === 'client') {
    if (workspace !== undefined) throw new UsageError('a client holds no workspaces');
    return { id: encodeClientId(envId, deviceIndex), level: 'device' };
  }
  const pylonId = encodePylonId(envId, deviceIndex);
  if (workspace === undefined) return { id: pylonId, level: 'device' };
  const workspaceId = encodeWorkspaceId(pylonId, numberOf('the workspace', workspace));
  if (conversation === undefined) return { id: workspaceId, level: 'workspace' };
  const id = encodeConversationId(workspaceId, numberOf('the conversation', conversation));
  return { id, level: 'conversation' };
}

const IS_LEVEL: Readonly<Record<Level, (id: number) => boolean>> = {
  device: (id) => isPylonId(id) || isClientId(id),
  workspace: isWorkspaceId,
  conversation: isConversationId,
};

/** The ID at the level that was requested, or at the widest that it can be. */
function decode(id: number, as: Level | undefined): Decoded {
  const wanted = as === undefined ? LEVELS.toReversed() : [as];
  const level = wanted.find((candidate) => IS_LEVEL[candidate](id));
  if (level === undefined) throw new RangeError(`${id} is no ${as ?? 'Estelle'} ID`);
  if (level === 'conversation')
    return { level, id, ...decodeConversationIdFull(id), text: conversationIdToString(id) };
  if (level === 'device') return { level, id, ...decodeDeviceId(id) };
  const { pylonId, workspaceIndex } = decodeWorkspaceId(id);
  return { level, id, ...decodeDeviceId(pylonId), workspaceIndex, pylonId };
}

function tree(decoded: Decoded): string[] {
  const { id, envId, deviceType, deviceIndex, workspaceIndex, conversationIndex } = decoded;
  const named = (name: string, index: number, own: number | undefined) =>
    `${name} ${index}${own === undefined ? `: ${id}` : `, ID ${own}`}`;
  const steps = [
    `environment ${envId} (${envName(envId)})`,
    named(deviceType === 0 ? 'pylon' : 'client', deviceIndex, decoded.pylonId),
    ...(workspaceIndex === undefined ? [] : [named('workspace', workspaceIndex, decoded.workspaceId)]),
    ...(conversationIndex === undefined ? [] : [named('conversation', conversationIndex, undefined)]),
  ];
  return steps.map((step, depth) => (depth === 0 ? step : `${'   '.repeat(depth - 1)}└─ ${step}`));
}

const inWords = (decoded: Decoded) =>
  Object.entries(decoded)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');

/** What was wrong with one input: said, and the exit code. */
async function complain(
  verb: string,
  input: string,
  error: unknown,
  flags: EstelleFlags,
  terminal: Terminal,
): Promise<number> {
  if (!(error instanceof RangeError)) throw error;
  const { message } = error;
  if (flags.json) await terminal.json({ input, error: { code: 'OUT_OF_RANGE', message } });
  else terminal.say(`kazahana estelle ${verb}: ${visible(message)}`);
  return EXIT.invalid;
}

export async function estelleEncode(
  args: readonly string[],
  flags: EstelleFlags,
  terminal: Terminal,
): Promise<number> {
  try {
    const { id, level } = encodeLevels(args);
    await (flags.json ? terminal.json(decode(id, level)) : terminal.line(String(id)));
    return EXIT.fine;
  } catch (error) {
    return complain('encode', args.join(' '), error, flags, terminal);
  }
}

export async function estelleRead(
  verb: 'decode' | 'tree',
  args: readonly string[],
  flags: EstelleFlags,
  terminal: Terminal,
): Promise<number> {
  let code: number = EXIT.fine;
  for await (const { text } of inputs(args, 'IDs')) {
    try {
      const decoded = decode(numberOf('an Estelle ID', text), flags.as);
      if (flags.json) await terminal.json(decoded);
      else await terminal.line(verb === 'tree' ? tree(decoded).join('\n') : inWords(decoded));
    } catch (error) {
      code = await complain(verb, text, error, flags, terminal);
    }
  }
  return code;
}
