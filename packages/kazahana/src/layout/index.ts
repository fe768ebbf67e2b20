export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export {
  defineLayout,
  type Field,
  type FieldDefinition,
  type FieldDescription,
  type FieldValue,
  type Layout,
  type LayoutDefinition,
  LayoutDefinitionError,
} from './layout.js';
