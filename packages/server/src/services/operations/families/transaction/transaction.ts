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
  // This family has no results; its steps say how it ended.
  resultEvent: () => ({ type: 'result_received' }),
  proveStep: proveTransaction,
};
