/**
 * A name that somebody else chose, inside a sentence of ours for a model or a terminal. One that could be read as more than
 * a name is quoted, on one line and without characters that cannot be seen.
 */
export function named(name: string): string {
  return /^[\p{L}\p{N}._@:/+-]+$/u.test(name)
    ? name
    : JSON.stringify(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' '));
}
