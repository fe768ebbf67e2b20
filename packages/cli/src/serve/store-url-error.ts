// A store's URL that cannot be understood. A class of its own: the server's would bring the whole server along.

export class StoreUrlError extends Error {
  override readonly name = 'StoreUrlError';
  readonly code = 'INVALID_CONFIG';
}
