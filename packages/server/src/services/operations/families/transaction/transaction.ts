/** General transactions for the person's own wallet. */
import { FAMILIES, Family, operationNotFound } from '@handover/core';
import type { FamilyService } from '../family.js';
import { isErrorInEvents } from '../step-progress.js';
import { transactionCreated } from './created.js';
import { readTransactionPost } from './post.js';
import { askedTransaction, proveTransaction } from './proofs.js';

export const transactionService: FamilyService = {
  rules: FAMILIES[Family.Operation],
  notFound: operationNotFound(),
  creatorSees: 'metadata',
  answersPosts: 'record',
  pageCallsNodes: false,
  posts: { status: readTransactionPost },
  externalPages: () => undefined,
  metadataNeedsEvents: ({ steps }) => steps.some(isErrorInEvents),
  createdAnswer: transactionCreated,
  proveClaim: proveTransaction,
  askedCall: askedTransaction,
};
