/**
 * What people and programs put around the words of a phrase: markup, line breaks that are written out, numbers in words, and
 * "and" before the last of a list. Each pattern takes a bounded number of characters, so the cost grows with the text, and a text
 * can be read in pieces.
 */
interface Around {
  /** Cheap: without it there is none. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  /** What stays of it. */
  kept(found: RegExpExecArray): string;
}

const around = (sign: RegExp, pattern: RegExp, kept: Around['kept'] = () => ' '): Around => ({
  sign,
  pattern,
  kept,
});

const AROUND: readonly Around[] = [
  around(/</, /<[^<>]{1,200}>/g),
  around(/&/, /&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});/gi),
  around(/\\/, /\\{1,4}[nrt]/g),
  around(/\d(?:st|nd|rd|th)/i, /(?<![a-z0-9])\d{1,2}(?:st|nd|rd|th)(?![a-z0-9])/gi),
  around(/word/i, /(?<![a-z])word\s{0,2}#?\s{0,2}\d{1,2}(?!\d)/gi),
  around(
    /,/,
    /(,\s{0,4}[a-z]{3,8}),?\s{1,4}and\s{1,4}(?=[a-z]{3,8}(?![a-z]))/gi,
    ([, last = '']) => `${last} `,
  ),
];
/** Longer than anything that a pattern takes and looks at behind it. */
const REACH = 256;

/** Whether there was any. */
interface Told {
  around: boolean;
}

/** The text without it, in pieces as well. */
export function bared(pieces: Iterable<string>, told: Told = { around: false }): Iterable<string> {
  return AROUND.reduce((rest, one) => without(rest, one, told), pieces);
}

function* without(pieces: Iterable<string>, one: Around, told: Told): Generator<string> {
  /** What is not decided yet, behind the one character before it that a pattern may look back at. */
  let held = '';
  let from = 0;
  for (const piece of pieces) {
    held += piece;
    const sure = held.length - REACH;
    if (sure <= from) {
      // Whoever reads this may have others go first.
      yield '';
      continue;
    }
    const [bare, to] = decided(held, { from, sure }, one, told);
    yield bare;
    held = held.slice(to - 1);
    from = 1;
  }
  yield decided(held, { from, sure: held.length }, one, told)[0];
}

/** The text from `from` on without what begins before `sure`; and where that ends. */
function decided(
  text: string,
  { from, sure }: { readonly from: number; readonly sure: number },
  { sign, pattern, kept }: Around,
  told: Told,
): readonly [bare: string, to: number] {
  let bare = '';
  let at = from;
  if (sign.test(text)) {
    pattern.lastIndex = from;
    for (let found = pattern.exec(text); found && found.index < sure; found = pattern.exec(text)) {
      bare += text.slice(at, found.index) + kept(found);
      at = pattern.lastIndex;
      told.around = true;
    }
  }
  const to = Math.max(at, sure);
  return [bare + text.slice(at, to), to];
}
