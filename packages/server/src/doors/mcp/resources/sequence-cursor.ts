/** Cursors of context pages: opaque to clients, `v1:<last sequence number>` inside. They grant nothing. */
import { type Rejection, RejectionCode, reject } from '@handover/core';

const CURSOR = /^v1:(\d{1,9})$/;

export function toSequenceCursor(sequence: number): string {
  return Buffer.from(`v1:${sequence}`).toString('base64url');
}

export function fromSequenceCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  const sequence = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return sequence === undefined ? undefined : Number(sequence);
}

export const BAD_CURSOR: Rejection = reject(
  RejectionCode.VALIDATION_ERROR,
  'the cursor is not one of this server; read again without it',
);
