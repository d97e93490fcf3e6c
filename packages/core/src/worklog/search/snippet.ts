/** The text around a place, on one line. It is cut out before anything is done with it: the text may be a megabyte. */
export const SNIPPET_CHARACTERS = 240;
const BEFORE = 80;
/** Without the signs that say that something was cut off. */
const SHOWN = SNIPPET_CHARACTERS - 2;

// Controls could make more lines of one, or hide what follows.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function snippetAt(text: string, place: number): string {
  let from = back(text, place, BEFORE);
  const to = forth(text, from, SHOWN);
  if (to === text.length) from = back(text, to, SHOWN);
  const shown = text.slice(from, to).replace(HIDDEN, ' ');
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`;
}

/** So many characters before a place. */
function back(text: string, place: number, characters: number): number {
  let at = place;
  for (let passed = 0; passed < characters && at > 0; passed++)
    at -= at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

function forth(text: string, place: number, characters: number): number {
  let at = place;
  for (let passed = 0; passed < characters && at < text.length; passed++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
