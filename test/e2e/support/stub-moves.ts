/** What a post changes in a record of the stub. It believes what it is told, in the words of docs/reference/operations-api.md. */
import { randomBytes } from 'node:crypto';
import type { OperationStatus, ReasonCode } from '@handover/core';
import type { HandoffRecord, Step } from '../../../packages/web/src/model/record.js';

type Body = Readonly<Record<string, unknown>>;

/** The record after a post; undefined: not allowed from here. */
export function moved(record: HandoffRecord, body: Body, action: string): HandoffRecord | undefined {
  const status = body.status as OperationStatus | undefined;
  if (action === 'result' && status !== 'cancelled')
    return { ...record, result: body, verification: 'pending' } as HandoffRecord;
  if (status === 'cancelled') return closed(record);
  if (body.stepStatus === undefined) {
    const first = record.status.startsWith('pending') || record.status === 'opened';
    return first && status !== undefined ? { ...record, status } : record;
  }
  const step = record.steps.find((one, index) => one.id === body.stepId || index === body.index);
  return step && stepMoved(record, step, body);
}

function closed(record: HandoffRecord): HandoffRecord {
  const closing = { by: 'holder' as const, at: new Date().toISOString() };
  return record.effect === 'none' ? { ...record, status: 'cancelled', closing } : { ...record, closing };
}

function stepMoved(record: HandoffRecord, step: Step, body: Body): HandoffRecord | undefined {
  switch (body.stepStatus) {
    case 'requested':
      return step.status === 'pending' || step.status === 'failed' ? asked(record, step, body) : undefined;
    case 'submitted':
    case 'started':
      return claimed(record, step, body);
    case 'failed':
      return answered(record, step, body);
    default:
      return undefined;
  }
}

function asked(record: HandoffRecord, step: Step, body: Body): HandoffRecord {
  const ask = {
    id: `ask_${randomBytes(12).toString('hex')}`,
    stepIds: [step.id],
    at: new Date().toISOString(),
    standing: 'open' as const,
  };
  const next = withStep({ ...record, effect: 'unknown', asks: [ask] }, step, {
    status: 'requested',
    effect: 'unknown',
  });
  return {
    ...next,
    status: statusIn(next, body),
    ...(body.account ? { account: String(body.account) } : {}),
  };
}

function claimed(
  record: HandoffRecord,
  step: Step,
  { txHash, sessionId, owner, ...body }: Body,
): HandoffRecord {
  const { asks: _asks, ...rest } = record;
  const next = withStep(rest as HandoffRecord, step, {
    status: 'submitted',
    effect: 'unknown',
    ...(txHash ? { txHash: String(txHash) } : {}),
    ...(sessionId ? { sessionId: String(sessionId), owner: String(owner) } : {}),
  });
  return { ...next, effect: 'unknown', status: statusIn(next, body) };
}

const REASONS: Readonly<Record<string, ReasonCode>> = {
  refused: 'REJECTED',
  not_opened: 'WALLET_ERROR',
  said_not_signed: 'NOT_SIGNED',
};

function answered(record: HandoffRecord, step: Step, body: Body): HandoffRecord | undefined {
  if (step.status !== 'requested') return undefined;
  if (body.answer === 'unclear') return record;
  const reasonCode = REASONS[String(body.answer)];
  const effect = body.answer === 'said_not_signed' ? 'unknown' : 'none';
  const { asks: _asks, account: _account, ...rest } = record;
  const next = withStep(rest as HandoffRecord, step, {
    status: 'failed',
    effect,
    ...(reasonCode && { reasonCode }),
    ...(body.error ? { error: String(body.error) } : {}),
  });
  return { ...next, effect, status: statusIn(next, body) };
}

const statusIn = ({ status }: HandoffRecord, body: Body): OperationStatus =>
  (body.status as OperationStatus | undefined) ?? status;

const withStep = <R extends HandoffRecord>(record: R, step: Step, change: Partial<Step>): R => ({
  ...record,
  steps: record.steps.map((one) => (one.id === step.id ? { ...one, ...change } : one)),
});
