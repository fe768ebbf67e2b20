// Memory for what is dear to make, with an end to it: so that secrets do not pile up in a long-lived process.

/** Remembers what `make` made for the last `limit` new keys. */
export function rememberUpTo<Value>(limit: number, make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    // A Map iterates in the order of insertion, so its first key is its oldest.
    for (const oldest of values.keys()) {
      if (values.size < limit) break;
      values.delete(oldest);
    }
    values.set(key, value);
    return value;
  };
}

/**
 * Remembers what `make` made for an array, as long as the array lives and its bytes stay what they were: it
 * is in the caller's hands and may change, so the bytes are copied and compared.
 */
export function rememberByContent<Value>(make: (bytes: Uint8Array) => Value): (bytes: Uint8Array) => Value {
  const values = new WeakMap<Uint8Array, { readonly bytes: Uint8Array; readonly value: Value }>();
  return (array) => {
    const known = values.get(array);
    if (known !== undefined && sameBytes(known.bytes, array)) return known.value;
    const bytes = Uint8Array.from(array);
    const value = make(bytes);
    values.set(array, { bytes, value });
    return value;
  };
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
