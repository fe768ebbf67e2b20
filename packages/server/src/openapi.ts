// The OpenAPI 3.1 document, from the routes and the schemas that check them.
import { type ZodType, z } from 'zod';
import type { Route, RouteResponse } from './route.js';
import * as schemas from './schemas.js';

type Json = Readonly<Record<string, unknown>>;

/** Bodies have a name of their own in the document; parameters stand where they are used. */
const components = z.registry<{ id: string }>();
for (const [name, schema] of Object.entries(schemas)) {
  const id = name.charAt(0).toUpperCase() + name.slice(1);
  if (schema instanceof z.ZodObject && !/(?:Params|Query)$/.test(id)) components.add(schema, { id });
}

const uri = (id: string) => `#/components/schemas/${id}`;
// As input also for responses: a later server may send more, and clients ignore what they do not know.
const OPTIONS = { io: 'input', target: 'draft-2020-12' } as const;

const bare = ({ $schema: _, $id: __, ...schema }: Json): Json => schema;

function schemaOf(schema: ZodType): Json {
  const id = components.get(schema)?.id;
  return id === undefined ? bare(z.toJSONSchema(schema, OPTIONS)) : { $ref: uri(id) };
}

function parametersOf(schema: ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, OPTIONS);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

const contentOf = (type: string, schema: Json) => ({ content: { [type]: { schema } } });

function responseOf({ content, description }: RouteResponse): Json {
  if (content === undefined) return { description };
  if (typeof content === 'string') return { description, ...contentOf(content, { type: 'string' }) };
  return { description, ...contentOf('application/json', schemaOf(content)) };
}

function operationOf({ summary, scope, params, query, body, responses }: Route): Json {
  const parameters = [...parametersOf(params, 'path'), ...parametersOf(query, 'query')];
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, ...contentOf('application/json', schemaOf(body)) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, responseOf(response)]),
      ),
      default: {
        description: 'refused; `code` says why',
        ...contentOf('application/problem+json', schemaOf(schemas.problem)),
      },
    },
    security: scope === undefined ? [] : [{ bearer: [] }],
    ...(scope !== undefined && {
      description: `Needs a token with the scope \`${scope}\`, where there are tokens.`,
    }),
  };
}

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  const named = Object.entries(z.toJSONSchema(components, { ...OPTIONS, uri }).schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'kazahana lease server',
      version,
      description: 'Leases machine IDs, so that 64-bit IDs are unique without a database call for each one.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: Object.fromEntries(named.map(([id, schema]) => [id, bare(schema)])),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
