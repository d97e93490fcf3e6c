/**
 * A command that a person copies into a shell. Keys, names and paths are words of others: what a shell could read otherwise
 * stands in quotes, and what a terminal would not show as it is, in octal.
 */

const PLAIN = /^[\w@%+=:,./-]+$/;
/** Written in octal: it would not be seen, moves the cursor or ends the line. A blank that is not U+0020 looks like one. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** One word for any POSIX shell. A shell drops line breaks at the end of what is in octal; no key and no name has them. */
export function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  return UNSHOWN.test(word) ? `"$(printf '${inOctal(word)}')"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The whole line. Flags come as pairs of a flag and its value, or as a flag alone. What begins with a hyphen would be read as a
 * flag: it comes last then, after the word that ends them.
 */
export function shellLine(
  command: string,
  words: readonly string[],
  flags: readonly (readonly [flag: string, value?: string])[] = [],
): string {
  const named = words.map(shellWord);
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [flag] : [flag, shellWord(value)]));
  const all = words.some((word) => word.startsWith('-')) ? [...given, '--', ...named] : [...named, ...given];
  return ['handover', command, ...all].join(' ');
}

/** For printf: what is no visible letter of ASCII, or means something to it or to the quotes, as the octal of its bytes. */
const inOctal = (word: string): string =>
  [...word].map((letter) => (/[\w@+=:,./ -]/.test(letter) ? letter : octalOf(letter))).join('');

function octalOf(letter: string): string {
  const escaped = encodeURIComponent(letter.replace(/\p{Cs}/u, '\ufffd'));
  const bytes = escaped.startsWith('%')
    ? escaped
        .slice(1)
        .split('%')
        .map((hex) => Number.parseInt(hex, 16))
    : [letter.charCodeAt(0)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
