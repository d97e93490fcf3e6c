/** What a page posts while it works: how far it has come, that it asks a wallet, how that ended, and what the wallet gave. */
import {
  AskAnswer,
  ClaimKind,
  ClaimSource,
  type Fields,
  hasKeyMaterial,
  isFields,
  isText,
  type Json,
  type JsonObject,
  KEY_MATERIAL_MESSAGE,
  type NewClaim,
  OperationStatus,
  operationFlaw,
  StepStatus,
} from '@handover/core';
import { isAddress, isBytes32 } from '@handover/evm';
import type { Outcome } from '../../outcome.js';
import type { OperationDependencies } from '../dependencies.js';
import { documentBytes } from '../document.js';
import { postedKeyIn } from '../key-refusal.js';
import type { OperationRecord } from '../record.js';
import type { ReadPost } from './family.js';
import type { PageWish } from './page-wish.js';
import { readableText } from './readable-text.js';

const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);
const STEP_STATUSES: readonly StepStatus[] = Object.values(StepStatus);
export const bad = (message: string) => ({ rejection: operationFlaw(message) });

const STATUS_KEYS = new Set([
  'secret',
  'status',
  'stepId',
  'stepIds',
  'stepStatus',
  'txHash',
  'contract',
  'account',
  'error',
  'result',
  'txHashes',
  'contracts',
  'askId',
  'clientAsk',
  'answer',
  'walletCode',
  'source',
]);
/** Only the server says these. */
const SERVERS_WORDS = ['effect', 'basis'] as const;

/** Which status of a step goes with which status of the record. */
export const STEP_OF_STATUS: Partial<Record<OperationStatus, StepStatus>> = {
  [OperationStatus.TxRequested]: StepStatus.Requested,
  [OperationStatus.TxSubmitted]: StepStatus.Submitted,
  [OperationStatus.Failed]: StepStatus.Failed,
};

/** For posts that are never large. */
export const smallPost =
  (
    read: (
      deps: OperationDependencies,
      record: OperationRecord,
      value: unknown,
    ) => Outcome<PageWish> | Promise<Outcome<PageWish>>,
  ): ReadPost =>
  async (deps, record, body) => {
    if ('large' in body) return bad('the body is too large');
    const rejection = await postedKeyIn(deps, body.value);
    return rejection ? { rejection } : read(deps, record, body.value);
  };

export interface StatusPost {
  readonly fields: Fields;
  readonly status: OperationStatus;
  readonly stepStatus?: StepStatus;
}

export function readStatus(body: unknown): Outcome<StatusPost | Extract<PageWish, { kind: 'forbidden' }>> {
  if (!isFields(body)) return bad('the body must be an object');
  const said = SERVERS_WORDS.find((word) => Object.hasOwn(body, word));
  if (said !== undefined) return { value: { kind: 'forbidden', word: said } };
  const extra = Object.keys(body).find((key) => !STATUS_KEYS.has(key));
  if (extra !== undefined) return bad(`${extra} is not a field of a status`);
  if (hasKeyMaterial(body)) return bad(KEY_MATERIAL_MESSAGE);
  const stepStatus =
    body.stepStatus === undefined ? undefined : STEP_STATUSES.find((word) => word === body.stepStatus);
  if (body.stepStatus !== undefined && !stepStatus) return bad('stepStatus is not a known word');
  const status =
    body.status === undefined ? impliedStatus(stepStatus) : STATUSES.find((word) => word === body.status);
  if (!status) return bad('status is not a known word');
  return { value: { fields: body, status, ...(stepStatus && { stepStatus }) } };
}

function impliedStatus(stepStatus: StepStatus | undefined): OperationStatus | undefined {
  const found = Object.entries(STEP_OF_STATUS).find(([, word]) => word === stepStatus)?.[0];
  return stepStatus === undefined ? undefined : STATUSES.find((word) => word === found);
}

/** What a post says about a step. */
export function stepWish(
  { codec }: Pick<OperationDependencies, 'codec'>,
  fields: Fields,
  status: StepStatus,
): Outcome<PageWish> {
  switch (status) {
    case StepStatus.Requested:
      return askWish(fields);
    case StepStatus.Submitted:
      return claimWish(fields);
    case StepStatus.Failed:
      return answerWish(fields, documentBytes(codec, notes(fields)));
    case StepStatus.Pending:
    case StepStatus.Confirmed:
    case StepStatus.Skipped:
      return { value: { kind: 'forbidden', word: status } };
  }
}

const CLIENT_ASK = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function askWish(fields: Fields): Outcome<PageWish> {
  const steps = fields.stepIds === undefined ? [fields.stepId] : fields.stepIds;
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isText)) return bad('stepId is missing');
  if (new Set(steps).size < steps.length) return bad('stepIds names a step twice');
  const read = readAccount(fields.account);
  if ('rejection' in read) return read;
  const { clientAsk } = fields;
  if (clientAsk !== undefined && !(isText(clientAsk) && CLIENT_ASK.test(clientAsk)))
    return bad('clientAsk must be a UUID');
  return {
    value: {
      kind: 'ask',
      steps,
      ...(read.value !== undefined && { account: read.value }),
      ...(clientAsk !== undefined && { clientAsk: clientAsk.toLowerCase() }),
    },
  };
}

const ANSWERS: readonly Exclude<AskAnswer, 'claim'>[] = [
  AskAnswer.Refused,
  AskAnswer.NotOpened,
  AskAnswer.Unclear,
  AskAnswer.SaidNotSigned,
];

/** A page that knows no answers says by `failed` that nothing was signed, and that is all the weight it gets. */
export function answerWish(fields: Fields, payload: Uint8Array): Outcome<PageWish> {
  const { answer = AskAnswer.SaidNotSigned, walletCode } = fields;
  const known = ANSWERS.find((word) => word === answer);
  if (!known) return bad(`answer must be ${ANSWERS.join(', ')}`);
  if (walletCode !== undefined && !Number.isSafeInteger(walletCode))
    return bad('walletCode must be a number');
  const ask = readAsk(fields);
  if ('rejection' in ask) return ask;
  return {
    value: {
      kind: 'answer',
      answer: known,
      payload,
      ...(ask.value !== undefined && { ask: ask.value }),
      ...(walletCode !== undefined && { walletCode: Number(walletCode) }),
    },
  };
}

const ASK_ID = /^ask_[0-9a-f]{24}$/;

function readAsk({ askId }: Fields): Outcome<string | undefined> {
  if (askId === undefined) return { value: undefined };
  return isText(askId) && ASK_ID.test(askId) ? { value: askId } : bad('askId is not the id of an ask');
}

function claimWish(fields: Fields): Outcome<PageWish> {
  const { stepId, txHash, contract, source = ClaimSource.Page } = fields;
  if (!isText(stepId)) return bad('stepId is missing');
  if (txHash === undefined) return bad('txHash is missing');
  if (!isBytes32(txHash)) return bad('txHash must be 0x and 64 hex digits');
  if (contract !== undefined && !isAddress(contract)) return bad('contract must be 0x and 40 hex digits');
  if (source !== ClaimSource.Page && source !== ClaimSource.Holder)
    return bad('source must be page or holder');
  const ask = readAsk(fields);
  if ('rejection' in ask) return ask;
  const claim: NewClaim = {
    step: stepId,
    kind: ClaimKind.Tx,
    value: txHash.toLowerCase(),
    source,
    ...(ask.value !== undefined && { ask: ask.value }),
    ...(contract !== undefined && { contract: contract.toLowerCase() }),
  };
  return { value: { kind: 'claims', claims: [claim] } };
}

export function readAccount(account: unknown): Outcome<string | undefined> {
  if (account === undefined) return { value: undefined };
  return isAddress(account) ? { value: account.toLowerCase() } : bad('account must be 0x and 40 hex digits');
}

/** What is kept of a post besides its facts. */
export function notes({ error, result, txHashes, contracts }: Fields): JsonObject {
  return {
    ...(typeof error === 'string' && { error: readableText(error) }),
    ...(result !== undefined && { result: result as Json }),
    ...(txHashes !== undefined && { txHashes: txHashes as Json }),
    ...(contracts !== undefined && { contracts: contracts as Json }),
  };
}
