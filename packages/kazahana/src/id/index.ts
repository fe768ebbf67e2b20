export { idFromBytes, idToBytes } from './bytes.js';
export { type DecodedId, decodeId, maxIdAt, minIdAt } from './decode.js';
export {
  DEFAULT_BIT_ID,
  DEFAULT_BIT_RESERVE,
  DEFAULT_BIT_SEQ,
  DEFAULT_BIT_TS,
  DEFAULT_ID_LAYOUT,
  type IdLayout,
  type KazahanaId,
  kazahanaIdLayout,
  LIB_DEFAULT_EPOCH,
} from './layout.js';
export { oddsOfMeeting } from './odds.js';
export { TimestampOverflowError } from './timestamp.js';
