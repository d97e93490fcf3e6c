/** What the page of a transaction posts. */
import { FAMILIES, Family, OperationStatus } from '@handover/core';
import { documentBytes } from '../../document.js';
import { bad, notes, readAccount, readStatus, STEP_OF_STATUS, smallPost, stepWish } from '../status-post.js';

export const readTransactionPost = smallPost((deps, _record, body) => {
  const read = readStatus(body);
  if ('rejection' in read) return read;
  if ('kind' in read.value) return { value: read.value };
  const { fields, status, stepStatus } = read.value;
  if (status === OperationStatus.Cancelled) return { value: { kind: 'close' } };
  const expected = STEP_OF_STATUS[status];
  if (expected && (stepStatus ?? expected) === expected) return stepWish(deps, fields, expected);
  if (stepStatus) {
    const wish = stepWish(deps, fields, stepStatus);
    const isForbidden = 'value' in wish && wish.value.kind === 'forbidden';
    return isForbidden ? wish : bad('status and stepStatus do not fit');
  }
  if (!FAMILIES[Family.Operation].beginnings.includes(status))
    return { value: { kind: 'forbidden', word: status } };
  const account = readAccount(fields.account);
  if ('rejection' in account) return account;
  const payload = documentBytes(deps.codec, notes(fields));
  return {
    value: { kind: 'begin', status, payload, ...(account.value !== undefined && { account: account.value }) },
  };
});
