import { UNSEEN } from '@handover/core';

/** But for what only says how the picture before it is drawn. */
const HIDDEN = new RegExp(
  `(?!(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f])[${UNSEEN}\\p{Cc}\\p{Cs}]`,
  'gu',
);

/** Text that may come from anywhere, for a terminal: nothing in it may move the cursor or hide what follows. */
export function printable(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** The same where line breaks are meant. */
export const printableLines = (text: string): readonly string[] => text.split('\n').map(printable);
