/**
 * What may name an agent. A name is seen whole: one with letters that show nothing would pass for another name, or for none, and
 * so would one that differs only in blanks.
 * Some names are the server's own: entries that nobody asked for stand under names that begin with `_`, people will stand
 * under `person:`, `operator` is who runs the server, and `*` is anyone. An agent of such a name could pass for them in a
 * history or a receipt, or get what is left for all.
 */
import { ANYONE, hasUnseen, normalForm } from '@handover/core';
import { isIdentityText } from './identity-text.js';

const RESERVED_NAMES_RULE =
  'operator, person:… and whatever begins with _ are names of the server, and * stands for anyone';
/** Why a name is refused wherever somebody is named, be it the caller or another. */
export const REFUSED_NAMES_RULE = `${RESERVED_NAMES_RULE}; every letter of a name can be seen, and between two words stands one blank`;
export const AGENT_NAME_RULE = `1 to 256 bytes without control characters or letters that cannot be seen, with one blank between two words and none around them, and not reserved (${RESERVED_NAMES_RULE})`;

export function isAgentName(value: unknown): value is string {
  return isIdentityText(value) && !isRefusedName(value);
}

/** Nobody is called so, and nothing can be meant for who is called so. */
export const isRefusedName = (name: string): boolean => isDeceptive(name) || isReservedName(name);

/** It looks like another name: something in it cannot be seen, or a blank stands where nobody looks for one. */
export const isDeceptive = (name: string): boolean => hasUnseen(name) || ODD_BLANKS.test(name);

/** At an end, two in a row, or another one than U+0020. */
const ODD_BLANKS = /^ | $| {2}|(?! )\p{Zs}/u;

/** Compared as people read it: without regard to case and to width. */
function isReservedName(name: string): boolean {
  const read = normalForm(name, 'NFKC').trim().toLowerCase();
  return read === 'operator' || read === ANYONE || read.startsWith('person:') || read.startsWith('_');
}
