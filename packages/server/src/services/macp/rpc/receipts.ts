/** Receipts of the protocol's own format, and the keys by which anybody checks them. */
import { methods } from '@handover/wire';
import type { MacpServices } from '../macp-services.js';
import { authenticatedRpc, openRpc, type UnaryRpcs } from './rpc.js';

export function receiptRpcs({ receipts }: MacpServices): UnaryRpcs<'getDecisionReceipt' | 'getReceiptKeys'> {
  return {
    getDecisionReceipt: authenticatedRpc(methods.getDecisionReceipt, async (caller, { sessionId }) => {
      const outcome = await receipts.get(caller, sessionId);
      return 'rejection' in outcome ? outcome : { value: { receiptJson: outcome.value } };
    }),
    getReceiptKeys: openRpc(methods.getReceiptKeys, () => ({ value: { jwksJson: receipts.keys } })),
  };
}
