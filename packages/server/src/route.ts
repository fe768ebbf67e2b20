// A route as plain data: what it takes, what it answers, who may call it. The router, the OpenAPI document, the list of
// allowed methods and the labels of metrics are all made of this.
import type { Context } from 'hono';
import type { ZodType } from 'zod';
import type { Caller, Scope } from './tokens.js';

export interface Call {
  readonly context: Context;
  readonly request: Request;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export interface Answer {
  /** Of the body: a schema for JSON, a text for what else it is. */
  readonly content?: ZodType | string;
  readonly description: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly summary: string;
  /** Undefined: for everybody, without a token. */
  readonly scope?: Scope;
  readonly params?: ZodType;
  readonly query?: ZodType;
  readonly body?: ZodType;
  readonly answers: Readonly<Record<number, Answer>>;
  readonly handle: (call: Call) => Promise<Response> | Response;
}

/** The path as hono writes it. */
export const honoPath = ({ path }: Route): string => path.replace(/\{(\w+)\}/g, ':$1');
