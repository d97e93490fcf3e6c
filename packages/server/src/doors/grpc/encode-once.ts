/** Watches share their values, so each value is encoded once. */
export function encodeOnce<T extends object>(encode: (value: T) => Uint8Array): (value: T) => Uint8Array {
  const encoded = new WeakMap<T, Uint8Array>();
  return (value) => {
    let bytes = encoded.get(value);
    if (!bytes) {
      bytes = encode(value);
      encoded.set(value, bytes);
    }
    return bytes;
  };
}
