// A route as plain data: what it takes, what it answers, who may call it. The router, the OpenAPI document, the list of
// allowed methods and the labels of metrics are all made of this.
import type { ZodType } from 'zod';
import type { Asked } from './asked.js';
import type { Reply } from './reply.js';
import type { Caller, Scope } from './tokens.js';

export interface Call {
  readonly request: Asked;
  readonly caller: Caller;
  /** Of the path, and of what follows it; taken apart when they are asked for. */
  readonly params: () => Readonly<Record<string, string>>;
  readonly query: () => Readonly<Record<string, string>>;
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
  readonly handle: (call: Call) => Promise<Reply> | Reply;
}

/** The path as hono writes it. */
export const honoPath = ({ path }: Route): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Whether the route is at this path, whatever the method. */
export function matchesPath({ path }: Route): (given: string) => boolean {
  const literal = path.split(/\{\w+\}/).map((part) => part.replace(/[^\w/]/g, '\\$&'));
  const pattern = new RegExp(`^${literal.join('[^/]+')}$`);
  return (given) => pattern.test(given);
}
