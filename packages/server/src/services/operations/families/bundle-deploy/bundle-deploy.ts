/** Deploying an XRC-729/XRC-137 process bundle. */
import { FAMILIES, Family, RejectionCode, reject } from '@handover/core';
import { fixedLimits } from '../../../../config/fixed-limits.js';
import type { FamilyService } from '../family.js';
import { readPostedResult } from '../result-post.js';
import { bundleDeployCreated } from './created.js';
import { bundleResultEvent } from './events.js';
import { readBundlePost } from './post.js';
import { proveBundle, proveDeployment } from './proofs.js';

export const bundleDeployService: FamilyService = {
  rules: FAMILIES[Family.BundleDeploy],
  notFound: reject(RejectionCode.OPERATION_NOT_FOUND, 'bundle deploy handoff not found'),
  creatorSees: 'full',
  answersPosts: 'progress',
  pageCallsNodes: false,
  posts: { status: readBundlePost, result: readPostedResult },
  externalPages: ({ bundleBaseUrl }) => bundleBaseUrl,
  resultBytes: fixedLimits.bundleResultBytes.value,
  metadataNeedsEvents: () => true,
  createdAnswer: bundleDeployCreated,
  resultEvent: bundleResultEvent,
  proveClaim: proveDeployment,
  proveResult: proveBundle,
};
