/** Starting XDaLa sessions. */
import { FAMILIES, Family, RejectionCode, reject } from '@handover/core';
import { fixedLimits } from '../../../../config/fixed-limits.js';
import type { FamilyService } from '../family.js';
import { readPostedResult } from '../result-post.js';
import { sessionStartCreated } from './created.js';
import { sessionResultEvent } from './events.js';
import { readProgress } from './post.js';
import { proveSession, proveSessions } from './proofs.js';
import { sessionSight } from './sight.js';

export const sessionStartService: FamilyService = {
  rules: FAMILIES[Family.SessionStart],
  notFound: reject(RejectionCode.OPERATION_NOT_FOUND, 'session start handoff not found'),
  creatorSees: 'full',
  answersPosts: 'progress',
  readsChain: true,
  // The page itself submits permits.
  pageCallsNodes: true,
  posts: { progress: readProgress, result: readPostedResult },
  externalPages: ({ sessionBaseUrl }) => sessionBaseUrl,
  resultBytes: fixedLimits.sessionResultBytes.value,
  metadataNeedsEvents: () => true,
  createdAnswer: sessionStartCreated,
  resultEvent: sessionResultEvent,
  sightOf: sessionSight,
  proveClaim: proveSession,
  proveResult: proveSessions,
};
