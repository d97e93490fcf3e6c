/** The families, by name. */
import { Family } from '../words.js';
import { bundleDeploy } from './bundle-deploy.js';
import type { OperationFamily } from './family.js';
import { sessionStart } from './session-start.js';
import { transaction } from './transaction.js';

export const FAMILIES: Readonly<Record<Family, OperationFamily>> = {
  [Family.Operation]: transaction,
  [Family.BundleDeploy]: bundleDeploy,
  [Family.SessionStart]: sessionStart,
};

/** Undefined when no family has ids of this shape. */
export const familyOfId = (id: string): Family | undefined =>
  Object.values(FAMILIES).find(({ idShape }) => idShape.test(id))?.name;
