/** Process sessions to start, one per step; its result says which have started. */
import { ClaimKind, Family, OperationStatus } from '../words.js';
import { ENDS, idShape, type OperationFamily } from './family.js';

const prefix = 'ss_';
const idBytes = 24;

export const sessionStart: OperationFamily = {
  name: Family.SessionStart,
  place: 'session-start',
  prefix,
  idBytes,
  idShape: idShape(prefix, idBytes),
  beginnings: [OperationStatus.PendingImport],
  asked: OperationStatus.PendingImport,
  sent: OperationStatus.PendingImport,
  failed: OperationStatus.PendingImport,
  done: OperationStatus.Completed,
  ends: new Set([...ENDS, OperationStatus.Failed]),
  stepsComplete: false,
  claimKind: ClaimKind.Session,
  stepsApart: true,
};
