// Checks values against JSON Schema, as far as our OpenAPI document uses it; any other keyword is a fault of its own,
// so that nothing passes because it was not looked at. Objects that do not say so have no other properties: what is
// not written down must not be sent.

export type Schema = Readonly<Record<string, unknown>>;

const KNOWN = new Set([
  '$ref',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'anyOf',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'description',
]);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  integer: Number.isInteger,
};

/** What a reference points to. */
export function resolve(document: unknown, reference: string): Schema {
  let part = document;
  for (const name of reference.replace(/^#\//, '').split('/')) {
    part = (part as Record<string, unknown> | undefined)?.[name];
  }
  if (typeof part !== 'object' || part === null) throw new Error(`${reference} points to nothing`);
  return part as Schema;
}

/** What is wrong with a value, by path; empty when nothing is. */
export function faultsOf(document: unknown, schema: Schema, value: unknown, path = 'value'): string[] {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword))
      throw new Error(`the document has a keyword that this check does not know: ${keyword}`);
  }
  if (typeof schema.$ref === 'string') {
    if (Object.keys(schema).length > 1) throw new Error(`${schema.$ref} does not stand alone`);
    return faultsOf(document, resolve(document, schema.$ref), value, path);
  }
  const { anyOf } = schema as { anyOf?: readonly Schema[] };
  if (anyOf) {
    const readings = anyOf.map((option) => faultsOf(document, option, value, path));
    return readings.some((found) => found.length === 0) ? [] : readings.flat();
  }
  const faults: string[] = [];
  const must = (holds: boolean, rule: string) => {
    if (!holds) faults.push(`${path} ${rule}`);
  };
  const atMost = (measure: number, least: string, most: string) => {
    const { [least]: min = Number.NEGATIVE_INFINITY, [most]: max = Number.POSITIVE_INFINITY } = schema;
    must(measure >= (min as number) && measure <= (max as number), `is not within ${least} and ${most}`);
  };
  if (schema.type !== undefined) {
    const test = TYPES[String(schema.type)];
    if (!test) throw new Error(`the document has a type that this check does not know: ${schema.type}`);
    must(test(value), `is no ${schema.type}`);
    if (faults.length > 0) return faults;
  }
  if (typeof value === 'number') atMost(value, 'minimum', 'maximum');
  if (typeof value === 'string') {
    atMost(value.length, 'minLength', 'maxLength');
    if (schema.pattern !== undefined)
      must(new RegExp(String(schema.pattern), 'u').test(value), 'does not fit its pattern');
  }
  if (Array.isArray(value)) {
    atMost(value.length, 'minItems', 'maxItems');
    const { items } = schema;
    for (const [i, item] of items ? value.entries() : []) {
      faults.push(...faultsOf(document, items as Schema, item, `${path}[${i}]`));
    }
  } else if (typeof value === 'object' && value !== null) {
    faults.push(...faultsOfObject(document, schema, value as Record<string, unknown>, path));
  }
  return faults;
}

function faultsOfObject(
  document: unknown,
  schema: Schema,
  value: Record<string, unknown>,
  path: string,
): string[] {
  const faults: string[] = [];
  const {
    properties = {},
    required = [],
    additionalProperties = false,
    propertyNames,
    maxProperties,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: boolean | Schema;
    propertyNames?: Schema;
    maxProperties?: number;
  };
  for (const name of required) if (!Object.hasOwn(value, name)) faults.push(`${path} has no ${name}`);
  if (Object.keys(value).length > (maxProperties ?? Number.POSITIVE_INFINITY))
    faults.push(`${path} has too many`);
  for (const [name, part] of Object.entries(value)) {
    const where = `${path}.${name}`;
    if (propertyNames) faults.push(...faultsOf(document, propertyNames, name, `the name of ${where}`));
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (own === false) faults.push(`${where} is not in the document`);
    else if (typeof own === 'object') faults.push(...faultsOf(document, own, part, where));
  }
  return faults;
}
