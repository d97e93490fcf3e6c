/** Receipts of the protocol's own format, and the keys by which anybody checks them. */
import { encodeMessage, pb } from '@handover/wire';
import type { DoorContext } from '../context.js';
import { statusOfRejection } from '../errors.js';
import { authenticatedCall, openCall } from '../unary.js';

export function receiptMethods(context: DoorContext) {
  const { receipts } = context;
  return {
    getDecisionReceipt: authenticatedCall(
      context,
      pb.GetDecisionReceiptRequestSchema,
      async (principal, { sessionId }) => {
        const outcome = await receipts.get(principal, sessionId);
        if ('rejection' in outcome) return statusOfRejection(outcome.rejection);
        return encodeMessage(pb.GetDecisionReceiptResponseSchema, { receiptJson: outcome.value });
      },
    ),
    getReceiptKeys: openCall(context, pb.GetReceiptKeysRequestSchema, () =>
      encodeMessage(pb.GetReceiptKeysResponseSchema, { jwksJson: receipts.keys }),
    ),
  };
}
