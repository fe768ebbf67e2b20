// kazahana/layout: the layout engine, and every layout of the library, for programs that draw or inspect IDs.
export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export {
  clientIdLayout,
  conversationIdLayout,
  deviceIdLayout,
  pylonIdLayout,
  workspaceIdLayout,
} from '../estelle/layouts.js';
export { DEFAULT_ID_LAYOUT, type IdLayout, kazahanaIdLayout } from '../id/layout.js';
export {
  defineLayout,
  type Field,
  type FieldDefinition,
  type FieldDescription,
  type FieldValue,
  type Layout,
  type LayoutDefinition,
  LayoutDefinitionError,
} from '../layout/layout.js';
export { uuidLayouts, uuidV1Layout, uuidV4Layout, uuidV7Layout } from '../uuid/layouts.js';
