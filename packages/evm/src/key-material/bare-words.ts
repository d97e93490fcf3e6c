/**
 * What people and programs put around the words of a phrase: markup, line breaks that are written out, numbers in words, and
 * "and" before the last of a list. Each pattern takes a bounded number of characters, so the cost grows with the text.
 */
const AROUND: readonly (readonly [sign: RegExp, around: RegExp])[] = [
  [/</, /<[^<>]{1,200}>/g],
  [/&/, /&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});/gi],
  [/\\/, /\\{1,4}[nrt]/g],
  [/\d(?:st|nd|rd|th)/i, /(?<![a-z0-9])\d{1,2}(?:st|nd|rd|th)(?![a-z0-9])/gi],
  [/word/i, /(?<![a-z])word\s{0,2}#?\s{0,2}\d{1,2}(?!\d)/gi],
];
const LAST_OF_LIST = /(,\s{0,4}[a-z]{3,8}),?\s{1,4}and\s{1,4}(?=[a-z]{3,8}(?![a-z]))/gi;

export function bareWords(text: string): string {
  let bare = text;
  for (const [sign, around] of AROUND) if (sign.test(bare)) bare = bare.replace(around, ' ');
  return bare.includes(',') ? bare.replace(LAST_OF_LIST, '$1 ') : bare;
}
