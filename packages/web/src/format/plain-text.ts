/**
 * Makes untrusted text readable: writes out characters that are invisible or change the order of a line, and cuts text
 * that is too long to read. The result is plain text; markup in it is not interpreted.
 */
// Control characters but for tab and newline; bidirectional controls, zero-width and other invisible formatting.
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x16fe4, 0x16fe4],
  [0x1bca0, 0x1bca3],
  [0x1d159, 0x1d159],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
const written = (code: number): string => `\\u{${code.toString(16)}}`;
const HIDDEN = new RegExp(
  `[${RANGES.map(([first, last]) => `${written(first)}-${written(last)}`).join('')}]`,
  'gu',
);

export const MAX_SHOWN = 2_000;

export function plainText(value: unknown, max = MAX_SHOWN): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '');
  const cut = text.length > max ? `${text.slice(0, max)}… (${text.length - max} more characters)` : text;
  return cut.replace(
    HIDDEN,
    (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

export function hasHidden(value: unknown): boolean {
  if (typeof value === 'string') return value.search(HIDDEN) !== -1;
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, member]) => hasHidden(key) || hasHidden(member));
}
