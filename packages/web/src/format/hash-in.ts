/** The only hash in what somebody pasted: a hash, or a link of an explorer. Undefined: there is none, or more than one. */
export function hashIn(text: string): string | undefined {
  const found = new Set(
    [...text.matchAll(/(?<![0-9a-zA-Z])0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/g)].map(([hash]) =>
      hash.toLowerCase(),
    ),
  );
  const [hash] = found;
  return found.size === 1 ? hash : undefined;
}
