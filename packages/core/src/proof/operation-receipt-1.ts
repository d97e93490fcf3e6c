/** The receipts of operations that 0.1.0 signed. They are still verified; none is made any more. */

import type { Json } from '../log/json.js';
import { anyList, hexHash, matching, oneOf, shape, text, whole } from './document.js';

export const OPERATION_RECEIPT_FORMAT_1 = 'handover-operation-receipt@1';
export const DOMAIN_1 = 'handover-operation-receipt/1:';

const step = shape(
  { id: text, status: text, verification: text },
  { tx_hash: text, contract: text, session_id: text, owner: text, block: whole },
);
const steps = (value: Json | undefined, path: string) =>
  anyList(value, path).map((one, i) => step(one, `${path}[${i}]`));

export const readOperationReceipt1 = shape(
  {
    format: oneOf(OPERATION_RECEIPT_FORMAT_1),
    tenant: text,
    operation_id: text,
    family: text,
    chain_id: whole,
    digest: matching(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 lowercase hex digits'),
    created_by: text,
    created_at: whole,
    ended_at: whole,
    outcome: text,
    /** unverified: the chain was never asked, or never answered. */
    verification: text,
    steps,
    chain: shape({ seq: whole, hash: hexHash }, {}),
    issued_at: whole,
    key_id: text,
    public_key: text,
    signature: text,
  },
  { account: text, result_digest: text },
);
export type OperationReceipt1 = ReturnType<typeof readOperationReceipt1>;
