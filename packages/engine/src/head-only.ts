import type { Entry, EntryHead } from '@handover/core';

/** An entry without its bytes. A copy, so that whoever keeps it does not keep the payload. */
export function headOnly({ salt: _salt, payload: _payload, ...head }: Entry): EntryHead {
  return head;
}
