/** The terminal result of a session start, as docs/spec/operations.md 6.7 requires it. */

import { isSecretKey, REDACTED } from '@handover/core';
import { wasSent } from '../model/progress.js';
import type { JsonRecord, SessionRecord, SessionRequest, Step } from '../model/record.js';

export function sessionResult(record: SessionRecord, now: string, declined = false): object {
  const started = record.steps.filter(wasSent).length;
  const status = declined
    ? 'cancelled'
    : started === record.steps.length
      ? 'completed'
      : started > 0
        ? 'partial'
        : 'failed';
  return {
    handle: record.handle,
    type: 'xdala_session_start_result',
    status,
    completedAt: now,
    inputType: record.request.sessions.length === 1 ? 'singleSession' : 'sessionQueue',
    originalRequest: originalRequest(record),
    results: record.steps.map((step, index) => entry(step, index, declined)),
  };
}

function originalRequest({ handle, request }: SessionRecord): JsonRecord {
  const { type, version, mode, sessions } = request;
  return { type, version, handle, ...(mode !== undefined && { mode }), sessions: sessions.map(original) };
}

function original({ orchestration, ostcId, stepId, payload, maxTotalGas }: SessionRequest): JsonRecord {
  return { orchestration, ostcId, stepId, payload: redacted(payload), maxTotalGas };
}

const redacted = (payload: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [key, isSecretKey(key) ? REDACTED : value]),
  );

function entry(step: Step, index: number, declined: boolean): object {
  if (wasSent(step)) {
    const { sessionId = '', owner } = step;
    return { ok: true, index, status: 'started', sessionId, ...(owner !== undefined && { owner }) };
  }
  if (declined)
    return {
      ok: false,
      index,
      status: 'cancelled',
      stage: 'cancelled',
      error: 'declined on the page, by a holder of the link',
    };
  if (step.status === 'failed')
    return { ok: false, index, status: 'failed', stage: 'start', error: step.error ?? 'failed' };
  return { ok: false, index, status: 'not_started', stage: 'not_started', error: 'not started' };
}
