/** A bundle of contracts to deploy, one per step; its result names their addresses. */
import { Family, OperationStatus } from '../words.js';
import { ENDS, idShape, type OperationFamily } from './family.js';

const prefix = 'bd_';
const idBytes = 24;

export const bundleDeploy: OperationFamily = {
  name: Family.BundleDeploy,
  place: 'bundle-deploy',
  prefix,
  idBytes,
  idShape: idShape(prefix, idBytes),
  firstStatus: OperationStatus.PendingImport,
  ends: new Set([...ENDS, OperationStatus.Failed]),
  statusWithResult: OperationStatus.Imported,
  stepsComplete: false,
};
