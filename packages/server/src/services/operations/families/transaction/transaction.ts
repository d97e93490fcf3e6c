/** General transactions for the person's own wallet. */
import { FAMILIES, Family, operationNotFound } from '@handover/core';
import type { FamilyService } from '../family.js';
import { readTransactionPost } from './post.js';
import { proveTransaction } from './proofs.js';
import { transactionCreated, transactionView } from './view.js';

export const transactionService: FamilyService = {
  rules: FAMILIES[Family.Operation],
  notFound: operationNotFound(),
  creatorSees: 'metadata',
  answersPosts: 'record',
  pageCallsNodes: false,
  posts: { status: readTransactionPost },
  externalPages: () => undefined,
  view: transactionView,
  createdAnswer: transactionCreated,
  // Its steps say how it ended; there is no result to tell of.
  resultEvent: () => ({ type: 'result_received' }),
  proveStep: proveTransaction,
};
