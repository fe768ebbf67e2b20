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
import { EXIT, inputs, type Terminal, UsageError } from '../terminal.js';
import { wholeNumber } from '../values.js';

export interface EstelleFlags {
  readonly as?: string;
  readonly json?: boolean;
}

const TYPES = ['pylon', 'client'];

/** `env type device [workspace [conversation]]`, each a number but the type. */
function encodeLevels(args: readonly string[]): number {
  const [env = '', type = '', device = '', workspace, conversation] = args;
  if (!TYPES.includes(type))
    throw new UsageError(`the type must be pylon or client, got ${JSON.stringify(type)}`);
  const number = (what: string, text: string) => wholeNumber(what, text, 0, 2 ** 24);
  const envId = number('the environment', env) as EnvId;
  const deviceIndex = number('the device', device);
  if (type === 'client') {
    if (workspace !== undefined) throw new UsageError('a client holds no workspaces');
    return encodeClientId(envId, deviceIndex);
  }
  const pylonId = encodePylonId(envId, deviceIndex);
  if (workspace === undefined) return pylonId;
  const workspaceId = encodeWorkspaceId(pylonId, number('the workspace', workspace));
  return conversation === undefined
    ? workspaceId
    : encodeConversationId(workspaceId, number('the conversation', conversation));
}

type Level = 'device' | 'workspace' | 'conversation';

/** The level of an ID: what was asked for, or the widest that it can be. */
function levelOf(id: number, as: string | undefined): Level {
  const levels: [Level, boolean][] = [
    ['conversation', isConversationId(id)],
    ['workspace', isWorkspaceId(id)],
    ['device', isPylonId(id) || isClientId(id)],
  ];
  const wanted = levels.filter(([level]) => as === undefined || level === as);
  if (wanted.length === 0) throw new UsageError('--as must be device, workspace or conversation');
  const found = wanted.find(([, fits]) => fits);
  if (!found) throw new RangeError(`${id} is no ${as ?? 'Estelle ID'}`);
  return found[0];
}

function decode(id: number, as: string | undefined): Record<string, unknown> {
  const level = levelOf(id, as);
  if (level === 'conversation')
    return { level, id, ...decodeConversationIdFull(id), text: conversationIdToString(id) };
  if (level === 'workspace') {
    const { pylonId, workspaceIndex } = decodeWorkspaceId(id);
    return { level, id, ...decodeDeviceId(pylonId), workspaceIndex, pylonId };
  }
  return { level, id, ...decodeDeviceId(id) };
}

function tree(id: number, as: string | undefined): string[] {
  const parts = decode(id, as) as Record<string, number> & { envId: EnvId };
  const device = parts.deviceType === 0 ? 'pylon' : 'client';
  const steps = [
    `environment ${parts.envId} (${envName(parts.envId)})`,
    `${device} ${parts.deviceIndex}${parts.pylonId === undefined ? '' : `, ID ${parts.pylonId}`}`,
    ...(parts.workspaceIndex === undefined
      ? []
      : [
          `workspace ${parts.workspaceIndex}${parts.workspaceId === undefined ? '' : `, ID ${parts.workspaceId}`}`,
        ]),
    ...(parts.conversationIndex === undefined ? [] : [`conversation ${parts.conversationIndex}`]),
  ];
  steps[steps.length - 1] += `: ${id}`;
  return steps.map((step, depth) => (depth === 0 ? step : `${'   '.repeat(depth - 1)}└─ ${step}`));
}

export async function estelleEncode(
  args: readonly string[],
  flags: EstelleFlags,
  terminal: Terminal,
): Promise<number> {
  const id = encodeLevels(args);
  await (flags.json ? terminal.json(decode(id, levelNames[args.length - 3])) : terminal.line(String(id)));
  return EXIT.fine;
}

const levelNames: readonly Level[] = ['device', 'workspace', 'conversation'];

export async function estelleRead(
  what: 'decode' | 'tree',
  args: readonly string[],
  flags: EstelleFlags,
  terminal: Terminal,
): Promise<number> {
  let code: number = EXIT.fine;
  for await (const { text } of inputs(args)) {
    try {
      const id = wholeNumber('an Estelle ID', text, 0, 2 ** 24 - 1);
      if (what === 'tree') await terminal.line(tree(id, flags.as).join('\n'));
      else if (flags.json) await terminal.json(decode(id, flags.as));
      else {
        const parts = Object.entries(decode(id, flags.as)).map(([name, value]) => `${name}=${String(value)}`);
        await terminal.line(parts.join(' '));
      }
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof UsageError)) throw error;
      if (error instanceof UsageError && error.message.startsWith('--as')) throw error;
      code = EXIT.invalid;
      if (flags.json)
        await terminal.json({ input: text, error: { code: 'OUT_OF_RANGE', message: error.message } });
      else terminal.say(`kazahana estelle: ${error.message}`);
    }
  }
  return code;
}
