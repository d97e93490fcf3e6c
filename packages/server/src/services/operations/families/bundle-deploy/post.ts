/** What the page of a bundle posts: how far it has come, a status of one step, or transactions outside of steps. */
import {
  ClaimKind,
  ClaimSource,
  FAMILIES,
  Family,
  type Fields,
  listOf,
  OperationStatus,
} from '@handover/core';
import { isBytes32 } from '@handover/evm';
import { fixedLimits } from '../../../../config/fixed-limits.js';
import type { Outcome } from '../../../outcome.js';
import type { OperationDependencies } from '../../dependencies.js';
import { documentBytes } from '../../document.js';
import type { PageWish } from '../page-wish.js';
import { answerWish, bad, notes, readAccount, readStatus, smallPost, stepWish } from '../status-post.js';

const MAX_HASHES = fixedLimits.bundleHashes.value;

export const readBundlePost = smallPost((deps, _record, body) => {
  const read = readStatus(body);
  if ('rejection' in read) return read;
  if ('kind' in read.value) return { value: read.value };
  const { fields, status, stepStatus } = read.value;
  if (!hashesAreHashes(fields)) return bad('txHashes must be a list of 32-byte hashes');
  if (fields.stepId !== undefined && stepStatus) return stepWish(deps, fields, stepStatus);
  const hashes = listOf(fields.txHashes).map((hash) => String(hash).toLowerCase());
  if (hashes.length > 0) {
    const claims = hashes.map((value) => ({ kind: ClaimKind.Tx, value, source: ClaimSource.Page }));
    return { value: { kind: 'claims', claims } };
  }
  if (status === OperationStatus.Cancelled) return { value: { kind: 'close' } };
  const payload = documentBytes(deps.codec, notes(fields));
  if (status === OperationStatus.Failed) return failedWish(deps, fields, payload);
  if (!FAMILIES[Family.BundleDeploy].beginnings.includes(status))
    return { value: { kind: 'forbidden', word: status } };
  const account = readAccount(fields.account);
  if ('rejection' in account) return account;
  return {
    value: { kind: 'begin', status, payload, ...(account.value !== undefined && { account: account.value }) },
  };
});

/** A page that knows no asks says of the whole bundle that it failed: as much as a result that says so (review:A6). */
function failedWish(
  { codec }: Pick<OperationDependencies, 'codec'>,
  fields: Fields,
  payload: Uint8Array,
): Outcome<PageWish> {
  if (fields.answer !== undefined || fields.askId !== undefined) return answerWish(fields, payload);
  const digest = `sha256:${codec.sha256(payload)}`;
  return { value: { kind: 'result', outcome: OperationStatus.Failed, digest, payload } };
}

const hashesAreHashes = ({ txHashes }: Fields): boolean =>
  txHashes === undefined ||
  (Array.isArray(txHashes) && txHashes.length <= MAX_HASHES && txHashes.every(isBytes32));
