// A route as plain data: what it takes, what it returns, which scope it needs. The router, the OpenAPI document, the list
// of allowed methods and the labels of metrics are all made of this.
import type { Context } from 'hono';
import type { ZodType, z } from 'zod';
import type { Caller, Scope } from './tokens.js';

/** What the app keeps with each request. */
export interface AppEnv {
  Bindings: {
    /** Where the request comes from, where the server knows it. */
    address?: string;
  };
  Variables: {
    requestId: string;
    /** The path of the route, once one is found. */
    route?: string;
    /** The name of the caller's token, once it has shown a valid one. */
    caller?: string;
    /** Whether the caller has shown a token, or needs none. */
    isKnown?: boolean;
  };
}

/** A request that is admitted, and its parts as the schemas of its route have checked them. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly context: Context<AppEnv>;
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

export interface RouteResponse {
  /** Of the body: a schema for JSON, a media type for everything else. */
  readonly content?: ZodType | string;
  readonly description: string;
}

type Parsed<Schema> = Schema extends ZodType ? z.infer<Schema> : undefined;

interface RouteOf<Params, Query, Body> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly summary: string;
  /** Undefined: no token is needed. */
  readonly scope?: Scope;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  handle(call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>>): Response | Promise<Response>;
}

type Schema = ZodType | undefined;
export type Route = RouteOf<Schema, Schema, Schema>;

/** A route whose handler gets what its schemas say. */
export function route<
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(definition: RouteOf<Params, Query, Body>): Route {
  return definition;
}
