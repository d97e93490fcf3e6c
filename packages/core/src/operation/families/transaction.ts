/** Transactions for the person's own wallet, one per step. */
import { ClaimKind, Family, OperationStatus } from '../words.js';
import { ENDS, idShape, type OperationFamily } from './family.js';

const prefix = 'op_';
const idBytes = 16;

export const transaction: OperationFamily = {
  name: Family.Operation,
  place: 'operations',
  prefix,
  idBytes,
  idShape: idShape(prefix, idBytes),
  beginnings: [OperationStatus.PendingUserAction, OperationStatus.Opened, OperationStatus.WalletConnected],
  asked: OperationStatus.TxRequested,
  sent: OperationStatus.TxSubmitted,
  failed: OperationStatus.Failed,
  done: OperationStatus.Completed,
  // Not `failed`: it can be tried again.
  ends: new Set(ENDS),
  stepsComplete: true,
  claimKind: ClaimKind.Tx,
  stepsApart: false,
};
