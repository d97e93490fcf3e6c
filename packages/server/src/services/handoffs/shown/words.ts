/** Names and words that somebody else chose, on one line of ours, for a model or a terminal. */
import { named, UNSEEN } from '@handover/core';

const MAX_WORDS = 160;
const MAX_NAME = 80;
const HIDDEN = new RegExp(`[${UNSEEN}\\p{Cs}\\p{Co}]`, 'gu');

export const shownName = (text: string): string => named(cut(text, MAX_NAME));

/** In quotes. Unpaired halves and everything that moves or hides text goes. */
export function shownWords(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').replace(HIDDEN, '');
  return JSON.stringify(cut(line.trim(), MAX_WORDS));
}

function cut(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}
