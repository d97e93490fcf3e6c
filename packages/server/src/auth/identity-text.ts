import { fixedLimits } from '../config/fixed-limits.js';

/** Cc: C0, DEL and C1. Cs: a lone surrogate, which UTF-8 cannot carry, so two different names would become one. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

export const IDENTITY_TEXT_RULE = '1 to 256 bytes without control characters';

/** What may name an agent or a tenant. */
export function isIdentityText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    Buffer.byteLength(value) <= fixedLimits.agentNameBytes.value &&
    !FORBIDDEN.test(value)
  );
}
