/**
 * What may name an agent. Some names are the server's own: entries that nobody asked for stand under names that begin
 * with `_`, people will stand under `person:`, and `operator` is who runs the server. An agent of such a name could pass
 * for them in a history or a receipt.
 */
import { isIdentityText } from './identity-text.js';

export const RESERVED_NAMES_RULE = 'operator, person:… and whatever begins with _ are names of the server';
export const AGENT_NAME_RULE = `1 to 256 bytes without control characters, and not reserved (${RESERVED_NAMES_RULE})`;

export function isAgentName(value: unknown): value is string {
  return isIdentityText(value) && !isReservedName(value);
}

/** Compared as people read it: without regard to case, to width, and to characters that cannot be seen. */
export function isReservedName(name: string): boolean {
  const read = name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
  return read === 'operator' || read.startsWith('person:') || read.startsWith('_');
}
