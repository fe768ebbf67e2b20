// The OpenAPI 3.1 document, from the routes and the schemas that check them.
import { type ZodType, z } from 'zod';
import type { Answer, Route } from './route.js';
import { problem } from './schemas.js';

type Json = Readonly<Record<string, unknown>>;

/** A schema as a reference to its component; those without a name stand where they are used. */
function schemaOf(schema: ZodType, io: 'input' | 'output', components: Record<string, unknown>): Json {
  const {
    $schema: _,
    $defs = {},
    ...body
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override({ jsonSchema }) {
      // A later server may say more, and clients ignore what they do not know.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  const toComponents = (part: object): Json =>
    JSON.parse(JSON.stringify(part).replaceAll('#/$defs/', '#/components/schemas/'));
  for (const [name, { id: _id, ...definition }] of Object.entries($defs)) {
    components[name] = toComponents(definition);
  }
  const name = schema.meta()?.id;
  if (name === undefined) return toComponents(body);
  const { id: _id, ...definition } = body;
  components[name] ??= toComponents(definition);
  return { $ref: `#/components/schemas/${name}` };
}

function parametersOf(
  schema: ZodType | undefined,
  place: 'path' | 'query',
  components: Record<string, unknown>,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

function responseOf({ content, description }: Answer, components: Record<string, unknown>): Json {
  if (content === undefined) return { description };
  if (typeof content === 'string')
    return { description, content: { [content]: { schema: { type: 'string' } } } };
  return {
    description,
    content: { 'application/json': { schema: schemaOf(content, 'output', components) } },
  };
}

function operationOf(route: Route, components: Record<string, unknown>): Json {
  const { summary, scope, params, query, body, answers } = route;
  const parameters = [
    ...parametersOf(params, 'path', components),
    ...parametersOf(query, 'query', components),
  ];
  const responses = Object.entries(answers).map(([status, answer]) => [
    status,
    responseOf(answer, components),
  ]);
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body, 'input', components) } },
      },
    }),
    responses: {
      ...Object.fromEntries(responses),
      default: {
        description: 'refused; `code` says why',
        content: { 'application/problem+json': { schema: schemaOf(problem, 'output', components) } },
      },
    },
    security: scope === undefined ? [] : [{ bearer: [] }],
    ...(scope !== undefined && {
      description: `Needs a token with the scope \`${scope}\`, where there are tokens.`,
    }),
  };
}

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const components: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'kazahana lease server',
      version,
      description:
        'Leases machine numbers, so that 64-bit IDs are unique without asking a database for each one.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: { schemas: components, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}
