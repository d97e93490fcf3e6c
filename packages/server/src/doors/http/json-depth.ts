const QUOTE = '"';
const BACKSLASH = 0x5c;
const BRACKET = /["[\]{}]/g;

/**
 * How deep a JSON text nests, by its brackets alone; it need not be valid. Stops counting beyond `limit`. Strings are
 * skipped as a whole, so that a large payload costs next to nothing.
 */
export function jsonDepth(text: string, limit: number): number {
  const brackets = new RegExp(BRACKET);
  let depth = 0;
  let deepest = 0;
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    const [sign] = match;
    if (sign === QUOTE) {
      const end = endOfString(text, brackets.lastIndex);
      if (end === -1) return deepest;
      brackets.lastIndex = end + 1;
    } else if (sign === '[' || sign === '{') {
      deepest = Math.max(deepest, ++depth);
      if (deepest > limit) return deepest;
    } else depth--;
  }
  return deepest;
}

/** The closing quote: one with an even number of backslashes before it. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf(QUOTE, from); quote !== -1; quote = text.indexOf(QUOTE, quote + 1)) {
    let slashes = 0;
    while (quote - slashes > from && text.charCodeAt(quote - slashes - 1) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return -1;
}
