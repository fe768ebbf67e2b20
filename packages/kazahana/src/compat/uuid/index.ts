// kazahana/compat/uuid: the names, arguments, results and errors of npm `uuid` 14, on our generators.
export { MAX_UUID as MAX, NIL_UUID as NIL } from '../../uuid/validate.js';
export { v3, v5 } from './named.js';
export { v1ToV6, v6ToV1 } from './reorder.js';
export { parse, stringify, validate, version } from './text.js';
export type * from './types.js';
export { v1, v6 } from './v1.js';
export { v4 } from './v4.js';
export { v7 } from './v7.js';
