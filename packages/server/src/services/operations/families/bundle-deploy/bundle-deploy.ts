/** Deploying an XRC-729/XRC-137 process bundle. */
import { FAMILIES, Family, RejectionCode, reject } from '@handover/core';
import type { FamilyService } from '../family.js';
import { bundleResultEvent } from './events.js';
import { readBundlePost } from './post.js';
import { proveBundle, proveDeployment } from './proofs.js';
import { readBundleResult } from './result.js';
import { bundleDeployCreated, bundleDeployView } from './view.js';

export const bundleDeployService: FamilyService = {
  rules: FAMILIES[Family.BundleDeploy],
  notFound: reject(RejectionCode.OPERATION_NOT_FOUND, 'bundle deploy handoff not found'),
  creatorSees: 'full',
  answersPosts: 'progress',
  pageCallsNodes: false,
  posts: { status: readBundlePost, result: readBundleResult },
  externalPages: ({ bundleBaseUrl }) => bundleBaseUrl,
  view: bundleDeployView,
  createdAnswer: bundleDeployCreated,
  resultEvent: bundleResultEvent,
  proveStep: proveDeployment,
  proveResult: proveBundle,
};
