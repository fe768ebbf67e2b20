/** The text in the body of a request; undefined where there is none. */
export function textOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('text' in body)) return undefined;
  return typeof body.text === 'string' && body.text !== '' ? body.text : undefined;
}
