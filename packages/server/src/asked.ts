// What the app reads of a request. The `Request` of the platforms is one; the listener makes its own of Node's messages,
// which takes a fraction of the time.

export interface Asked {
  readonly method: string;
  /** Whole, with protocol and host. */
  readonly url: string;
  /** Names are in lower case. */
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The whole body, as UTF-8. */
  text(): Promise<string>;
}
