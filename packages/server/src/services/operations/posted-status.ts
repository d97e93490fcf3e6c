/** What a page may post while it works: statuses of steps, and progress of a queue of sessions. */
import {
  Family,
  type Fields,
  hasKeyMaterial,
  isFields,
  isText,
  type Json,
  type JsonObject,
  KEY_MATERIAL_MESSAGE,
  listOf,
  type OperationCommand,
  OperationStatus,
  operationFlaw,
  type StepClaim,
  StepStatus,
} from '@handover/core';
import { isAddress, isBytes32 } from '@handover/evm';
import type { Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { documentBytes } from './document.js';
import type { OperationRecord } from './record.js';

type Post = Extract<OperationCommand, { readonly kind: 'post' }>;

/** What a page says about an error, at most. */
const MAX_ERROR = 2_000;

const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);
const STEP_STATUSES: readonly StepStatus[] = Object.values(StepStatus);
const bad = (message: string) => ({ rejection: operationFlaw(message) });

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

/** Which word of the record goes with which word of a step, in a generic operation. */
const STEP_OF_STATUS: Partial<Record<OperationStatus, StepStatus>> = {
  [OperationStatus.TxRequested]: StepStatus.Requested,
  [OperationStatus.TxSubmitted]: StepStatus.Submitted,
  [OperationStatus.Failed]: StepStatus.Failed,
};

export function readPost(family: Family, body: unknown, deps: OperationDependencies): Outcome<Post> {
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
  const payload = documentBytes(deps.codec, notes(body));
  const post = { kind: 'post' as const, status, payload, ...(account !== undefined && { account }) };
  if (family === Family.BundleDeploy) {
    const claims = listOf(body.txHashes).length > 0;
    if (!hashesAreHashes(body)) return bad('txHashes must be a list of 32-byte hashes');
    if (body.stepId === undefined) return { value: { ...post, ...(claims && { claims }) } };
  }
  const implied = stepStatus ?? (family === Family.Operation ? STEP_OF_STATUS[status] : undefined);
  if (family === Family.Operation && implied !== STEP_OF_STATUS[status])
    // confirmed and skipped are the chain's; the decider says so with the present state.
    return implied === StepStatus.Confirmed ||
      implied === StepStatus.Skipped ||
      implied === StepStatus.Pending
      ? { value: { ...post, step: { id: String(body.stepId), status: implied } } }
      : bad('status and stepStatus do not fit');
  if (!implied) return { value: post };
  if (!isText(body.stepId)) return bad('stepId is missing');
  const claim = readClaim(body);
  if ('rejection' in claim) return claim;
  if (implied === StepStatus.Submitted && claim.value.txHash === undefined) return bad('txHash is missing');
  return { value: { ...post, step: { id: body.stepId, status: implied, claim: claim.value } } };
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

function readAccount(account: unknown): Outcome<string | undefined> {
  if (account === undefined) return { value: undefined };
  return isAddress(account) ? { value: account.toLowerCase() } : bad('account must be 0x and 40 hex digits');
}

const hashesAreHashes = ({ txHashes }: Fields): boolean =>
  txHashes === undefined ||
  (Array.isArray(txHashes) && txHashes.length <= 1_000 && txHashes.every(isBytes32));

/** What is kept of a post besides its facts. */
function notes({ error, result, txHashes, contracts }: Fields): JsonObject {
  return {
    ...(typeof error === 'string' && { error: error.slice(0, MAX_ERROR) }),
    ...(result !== undefined && { result: result as Json }),
    ...(txHashes !== undefined && { txHashes: txHashes as Json }),
    ...(contracts !== undefined && { contracts: contracts as Json }),
  };
}

const PROGRESS_KEYS = new Set(['secret', 'index', 'stepStatus', 'sessionId', 'owner', 'account', 'error']);
const PROGRESS: Readonly<Record<string, StepStatus>> = {
  requested: StepStatus.Requested,
  started: StepStatus.Submitted,
  failed: StepStatus.Failed,
};

export function readProgress(
  { state }: OperationRecord,
  body: unknown,
  deps: OperationDependencies,
): Outcome<Post> {
  if (!isFields(body)) return bad('the body must be an object');
  const extra = Object.keys(body).find((key) => !PROGRESS_KEYS.has(key));
  if (extra !== undefined) return bad(`${extra} is not a field of progress`);
  const { index, stepStatus, sessionId, owner } = body;
  const status =
    typeof stepStatus === 'string' && Object.hasOwn(PROGRESS, stepStatus) ? PROGRESS[stepStatus] : undefined;
  if (!status) return bad('stepStatus must be requested, started or failed');
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return bad('index is missing');
  const read = readAccount(body.account);
  if ('rejection' in read) return read;
  const { value: account } = read;
  const started = status === StepStatus.Submitted;
  if (started && (!isText(sessionId) || !/^\d{1,78}$/.test(sessionId) || !isAddress(owner)))
    return bad('a started session needs sessionId (digits) and owner (an address)');
  const claim = started ? { sessionId: String(sessionId), owner: String(owner).toLowerCase() } : {};
  return {
    value: {
      kind: 'post',
      status: state.status,
      step: { id: `sessions.${index}`, status, claim },
      ...(account !== undefined && { account }),
      payload: documentBytes(deps.codec, notes({ error: body.error })),
    },
  };
}
