/** Cursors of context pages: tokens of the last sequence number. */
import { type Rejection, RejectionCode, reject } from '@handover/core';
import { pageToken, readPageToken } from '../../../services/page-token.js';

export const toSequenceCursor = (sequence: number): string => pageToken('context', String(sequence));

export function fromSequenceCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  const sequence = readPageToken('context', cursor);
  return sequence !== undefined && /^\d{1,9}$/.test(sequence) ? Number(sequence) : undefined;
}

export const BAD_CURSOR: Rejection = reject(
  RejectionCode.VALIDATION_ERROR,
  'the cursor is not one of this server; read again without it',
);
