/** What a page posts while it works: the status of the record, and what it says about one step. */
import {
  type Fields,
  hasKeyMaterial,
  isFields,
  isText,
  type Json,
  type JsonObject,
  KEY_MATERIAL_MESSAGE,
  type OperationCommand,
  OperationStatus,
  operationFlaw,
  type StepClaim,
  StepStatus,
} from '@handover/core';
import { isAddress, isBytes32 } from '@handover/evm';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Outcome } from '../../outcome.js';
import type { OperationDependencies } from '../dependencies.js';
import { documentBytes } from '../document.js';
import type { OperationRecord } from '../record.js';
import type { ReadPost } from './family.js';

export type Post = Extract<OperationCommand, { readonly kind: 'post' }>;

/** The longest error text that is kept. */
const MAX_ERROR = fixedLimits.pageErrorLength.value;

const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);
const STEP_STATUSES: readonly StepStatus[] = Object.values(StepStatus);
export const bad = (message: string) => ({ rejection: operationFlaw(message) });

const STATUS_KEYS = new Set([
  'secret',
  'status',
  'stepId',
  'stepStatus',
  'txHash',
  'contract',
  'account',
  'error',
  'result',
  'txHashes',
  'contracts',
]);

/** Which status of a step goes with which status of the record. */
export const STEP_OF_STATUS: Partial<Record<OperationStatus, StepStatus>> = {
  [OperationStatus.TxRequested]: StepStatus.Requested,
  [OperationStatus.TxSubmitted]: StepStatus.Submitted,
  [OperationStatus.Failed]: StepStatus.Failed,
};

/** For posts that are never large. */
export const smallPost =
  (
    read: (deps: OperationDependencies, record: OperationRecord, value: unknown) => Outcome<OperationCommand>,
  ): ReadPost =>
  (deps, record, body) =>
    'large' in body ? bad('the body is too large') : read(deps, record, body.value);

export interface StatusPost {
  /** Without its step. */
  readonly post: Post;
  readonly fields: Fields;
  readonly stepStatus?: StepStatus;
}

export function readStatus(
  { codec }: Pick<OperationDependencies, 'codec'>,
  body: unknown,
): Outcome<StatusPost> {
  if (!isFields(body)) return bad('the body must be an object');
  const extra = Object.keys(body).find((key) => !STATUS_KEYS.has(key));
  if (extra !== undefined) return bad(`${extra} is not a field of a status`);
  if (hasKeyMaterial(body)) return bad(KEY_MATERIAL_MESSAGE);
  const stepStatus =
    body.stepStatus === undefined ? undefined : STEP_STATUSES.find((word) => word === body.stepStatus);
  if (body.stepStatus !== undefined && !stepStatus) return bad('stepStatus is not a known word');
  const status =
    body.status === undefined ? impliedStatus(stepStatus) : STATUSES.find((word) => word === body.status);
  if (!status) return bad('status is not a known word');
  const read = readAccount(body.account);
  if ('rejection' in read) return read;
  const { value: account } = read;
  const payload = documentBytes(codec, notes(body));
  const post = { kind: 'post' as const, status, payload, ...(account !== undefined && { account }) };
  return { value: { post, fields: body, ...(stepStatus && { stepStatus }) } };
}

/** The post with what it says about its step, if it says anything. */
export function withStep(post: Post, fields: Fields, status: StepStatus | undefined): Outcome<Post> {
  if (!status) return { value: post };
  if (!isText(fields.stepId)) return bad('stepId is missing');
  const claim = readClaim(fields);
  if ('rejection' in claim) return claim;
  if (status === StepStatus.Submitted && claim.value.txHash === undefined) return bad('txHash is missing');
  return { value: { ...post, step: { id: fields.stepId, status, claim: claim.value } } };
}

function impliedStatus(stepStatus: StepStatus | undefined): OperationStatus | undefined {
  const found = Object.entries(STEP_OF_STATUS).find(([, word]) => word === stepStatus)?.[0];
  return stepStatus === undefined ? undefined : STATUSES.find((word) => word === found);
}

function readClaim({ txHash, contract }: Fields): Outcome<StepClaim> {
  if (txHash !== undefined && !isBytes32(txHash)) return bad('txHash must be 0x and 64 hex digits');
  if (contract !== undefined && !isAddress(contract)) return bad('contract must be 0x and 40 hex digits');
  return {
    value: {
      ...(txHash !== undefined && { txHash: txHash.toLowerCase() }),
      ...(contract !== undefined && { contract: contract.toLowerCase() }),
    },
  };
}

export function readAccount(account: unknown): Outcome<string | undefined> {
  if (account === undefined) return { value: undefined };
  return isAddress(account) ? { value: account.toLowerCase() } : bad('account must be 0x and 40 hex digits');
}

/** What is kept of a post besides its facts. */
export function notes({ error, result, txHashes, contracts }: Fields): JsonObject {
  return {
    ...(typeof error === 'string' && { error: error.slice(0, MAX_ERROR) }),
    ...(result !== undefined && { result: result as Json }),
    ...(txHashes !== undefined && { txHashes: txHashes as Json }),
    ...(contracts !== undefined && { contracts: contracts as Json }),
  };
}
