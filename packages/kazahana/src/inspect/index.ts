// kazahana/inspect: what is this ID? For the CLI, the page, and programs that show IDs to people.
export { type Comparison, compareIds } from './compare.js';
export { type Diagnosis, diagnoseUuid } from './diagnose.js';
export { type FoundId, findIds } from './find.js';
export {
  describeBits,
  type Inspection,
  type InspectOptions,
  inspectId,
  type Reading,
} from './inspect.js';
export { MESSAGES, type Message, type MessageKey } from './messages.js';
export type { NearFormat } from './near.js';
export { type PresetName, presets } from './presets.js';
export { FORMATS, type FormatInfo, type FormatName } from './registry.js';
export { type RelativeTime, relativeTime } from './relative-time.js';
export {
  CERTAINTIES,
  type Certainty,
  FAMILIES,
  type Facts,
  type Family,
  type Maker,
  type Order,
  type OtherForm,
  type ReadingField,
  type ReadingTime,
  ROLES,
  type Role,
} from './types.js';
