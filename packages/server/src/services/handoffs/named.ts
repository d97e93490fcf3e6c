/**
 * A name that somebody else chose, inside a sentence of ours for a model or a terminal. One that could be read as more than
 * a name is quoted, on one line, without what moves or hides text; blank letters are written out.
 */
import { hasUnseen, writtenOut } from '@handover/core';

export function named(name: string): string {
  if (/^[\p{L}\p{N}._@:/+-]+$/u.test(name) && !hasUnseen(name)) return name;
  return writtenOut(JSON.stringify(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')));
}
