/** Starting XDaLa sessions. */
import { FAMILIES, Family, RejectionCode, reject } from '@handover/core';
import type { FamilyService } from '../family.js';
import { sessionResultEvent } from './events.js';
import { readProgress } from './post.js';
import { proveSession, proveSessions } from './proofs.js';
import { readSessionResult } from './result.js';
import { unsealedView } from './secret-values.js';
import { sessionStartCreated, sessionStartView } from './view.js';

export const sessionStartService: FamilyService = {
  rules: FAMILIES[Family.SessionStart],
  notFound: reject(RejectionCode.OPERATION_NOT_FOUND, 'session start handoff not found'),
  creatorSees: 'full',
  answersPosts: 'progress',
  // The page itself submits permits.
  pageCallsNodes: true,
  posts: { progress: readProgress, result: readSessionResult },
  externalPages: ({ sessionBaseUrl }) => sessionBaseUrl,
  view: sessionStartView,
  unsealed: unsealedView,
  createdAnswer: sessionStartCreated,
  resultEvent: sessionResultEvent,
  proveStep: proveSession,
  proveResult: proveSessions,
};
