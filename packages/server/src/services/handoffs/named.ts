/**
 * A name that somebody else chose, inside a sentence of ours for a model or a terminal. One that could be read as more than
 * a name is quoted, on one line, without what moves or hides text; blank letters are written out.
 */
import { hasUnseen, UNSEEN } from '@handover/core';

const HIDDEN = new RegExp(`[${UNSEEN}]`, 'gu');

export function named(name: string): string {
  if (/^[\p{L}\p{N}._@:/+-]+$/u.test(name) && !hasUnseen(name)) return name;
  return JSON.stringify(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')).replace(HIDDEN, escaped);
}

/** As JSON has it: one escape for each UTF-16 unit. */
const escaped = (letter: string): string =>
  Array.from(
    { length: letter.length },
    (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
