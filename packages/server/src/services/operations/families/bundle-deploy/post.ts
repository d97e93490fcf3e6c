/** What the page of a bundle posts: a status of the record, a status of one step, or transactions outside of steps. */
import { type Fields, listOf } from '@handover/core';
import { isBytes32 } from '@handover/evm';
import { fixedLimits } from '../../../../config/fixed-limits.js';
import { bad, readStatus, smallPost, withStep } from '../status-post.js';

const MAX_HASHES = fixedLimits.bundleHashes.value;

export const readBundlePost = smallPost((deps, _record, body) => {
  const read = readStatus(deps, body);
  if ('rejection' in read) return read;
  const { post, fields, stepStatus } = read.value;
  if (!hashesAreHashes(fields)) return bad('txHashes must be a list of 32-byte hashes');
  if (fields.stepId !== undefined) return withStep(post, fields, stepStatus);
  return { value: { ...post, ...(listOf(fields.txHashes).length > 0 && { claims: true }) } };
});

const hashesAreHashes = ({ txHashes }: Fields): boolean =>
  txHashes === undefined ||
  (Array.isArray(txHashes) && txHashes.length <= MAX_HASHES && txHashes.every(isBytes32));
