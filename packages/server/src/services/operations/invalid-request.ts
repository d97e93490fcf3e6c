/** The refusal of a request that validators found wanting. */
import { type Json, type Rejection, RejectionCode, rejectWith } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';

export function invalidRequest(
  message: string,
  { errors, omitted }: { readonly errors: readonly object[]; readonly omitted?: number },
): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, message, {
    errors: errors.slice(0, fixedLimits.findings.value) as unknown as Json,
    ...(omitted !== undefined && { omitted }),
  });
}
