/** The families on the server, by name. */
import { Family } from '@handover/core';
import { bundleDeployService } from './bundle-deploy/bundle-deploy.js';
import type { FamilyService } from './family.js';
import { sessionStartService } from './session-start/session-start.js';
import { transactionService } from './transaction/transaction.js';

export const FAMILY_SERVICES: Readonly<Record<Family, FamilyService>> = {
  [Family.Operation]: transactionService,
  [Family.BundleDeploy]: bundleDeployService,
  [Family.SessionStart]: sessionStartService,
};
