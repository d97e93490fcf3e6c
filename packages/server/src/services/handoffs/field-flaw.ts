/** Flaws of arguments that only a service can find. The doors check shapes. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';

export function fieldFlaw(field: string, message: string): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, `${field} ${message}`, {
    field,
    issues: [{ field, message }],
  });
}

/** The largest content is a setting, so it may change at any time. */
export function contentFlaw(content: string, maxBytes: number): Rejection | undefined {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maxBytes) return undefined;
  return fieldFlaw('content', `has ${bytes} bytes; at most ${maxBytes} are allowed`);
}
