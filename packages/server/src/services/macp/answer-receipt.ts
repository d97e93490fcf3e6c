import { isFields, RejectionCode } from '@handover/core';
import { sessionRef } from '../stream-refs.js';
import type { DecisionReceipts } from './decision-receipts.js';

const OPERATOR = '';

/** For the operator, who may have the receipt of any session: its text, why there is none, or what went wrong. */
export async function answerReceipt(receipts: DecisionReceipts, asked: unknown): Promise<object> {
  if (!isFields(asked) || typeof asked.tenant !== 'string' || typeof asked.session !== 'string')
    return { flaw: 'the request names no session' };
  const outcome = await receipts.ofSession(sessionRef(asked.tenant, asked.session), OPERATOR);
  if ('value' in outcome) return { text: outcome.value };
  const { code, message } = outcome.rejection;
  return code === RejectionCode.RECEIPT_UNAVAILABLE ? { none: message } : { flaw: message };
}
