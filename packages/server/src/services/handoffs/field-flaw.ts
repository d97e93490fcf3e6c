/** What only a service can find wrong with an argument; shapes are the doors' business. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';

export function fieldFlaw(field: string, message: string): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, `${field} ${message}`, {
    field,
    issues: [{ field, message }],
  });
}

/** How much an entry may carry is a setting, and may change at any time. */
export function contentFlaw(content: string, maxBytes: number): Rejection | undefined {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maxBytes) return undefined;
  return fieldFlaw('content', `has ${bytes} bytes; at most ${maxBytes} are allowed`);
}
