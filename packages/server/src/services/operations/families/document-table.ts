/** The documents of all families, by name. */
import { Family } from '@handover/core';
import { bundleDeployDocuments } from './bundle-deploy/documents.js';
import type { FamilyDocumentTable } from './family-documents.js';
import { sessionStartDocuments } from './session-start/documents.js';
import { transactionDocuments } from './transaction/documents.js';

export const FAMILY_DOCUMENTS: FamilyDocumentTable = {
  [Family.Operation]: transactionDocuments,
  [Family.BundleDeploy]: bundleDeployDocuments,
  [Family.SessionStart]: sessionStartDocuments,
};
