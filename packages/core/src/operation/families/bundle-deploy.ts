/** A bundle of contracts to deploy, one per step; its result names their addresses. */
import { ClaimKind, Family, OperationStatus } from '../words.js';
import { ENDS, idShape, type OperationFamily } from './family.js';

const prefix = 'bd_';
const idBytes = 24;

export const bundleDeploy: OperationFamily = {
  name: Family.BundleDeploy,
  place: 'bundle-deploy',
  prefix,
  idBytes,
  idShape: idShape(prefix, idBytes),
  beginnings: [OperationStatus.PendingImport, OperationStatus.Opened, OperationStatus.Imported],
  asked: OperationStatus.Imported,
  sent: OperationStatus.Imported,
  failed: OperationStatus.Imported,
  done: OperationStatus.Deployed,
  ends: new Set([...ENDS, OperationStatus.Failed]),
  stepsComplete: false,
  claimKind: ClaimKind.Tx,
  stepsApart: false,
};
