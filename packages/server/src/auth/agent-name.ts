/**
 * What may name an agent. A name is seen whole: one with blank letters in it would pass for another, or for nothing. Some names are the server's own: entries that nobody asked for stand under names that begin
 * with `_`, people will stand under `person:`, and `operator` is who runs the server. An agent of such a name could pass
 * for them in a history or a receipt.
 */
import { hasUnseen } from '@handover/core';
import { isIdentityText } from './identity-text.js';

export const RESERVED_NAMES_RULE = 'operator, person:… and whatever begins with _ are names of the server';
/** Why a name is refused wherever somebody is named, be it the caller or another. */
export const REFUSED_NAMES_RULE = `${RESERVED_NAMES_RULE}, and every letter of a name can be seen`;
export const AGENT_NAME_RULE = `1 to 256 bytes without control characters or letters that cannot be seen, and not reserved (${RESERVED_NAMES_RULE})`;

export function isAgentName(value: unknown): value is string {
  return isIdentityText(value) && !isRefusedName(value);
}

/** Nobody is called so, and nothing can be meant for who is called so. */
export const isRefusedName = (name: string): boolean => hasUnseen(name) || isReservedName(name);

/** Compared as people read it: without regard to case, to width, and to characters that cannot be seen. */
function isReservedName(name: string): boolean {
  const read = name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
  return read === 'operator' || read.startsWith('person:') || read.startsWith('_');
}
