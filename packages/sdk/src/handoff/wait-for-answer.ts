import { Disposition } from '@handover/core';
import { given, validateSignal, validateTimeout } from '../arguments.js';
import { MacpSdkError, MacpTimeoutError, MacpTransportError } from '../errors.js';
import { expiresWhileWaiting } from './expires-while-waiting.js';
import type { HandoffRecord } from './records.js';
import type { HandoffSession } from './session.js';

/** How long to wait for an answer. */
export interface WaitOptions {
  /** Milliseconds; without it as long as the session lives. */
  readonly timeoutMs?: number | undefined;
  /** Gives the wait up when it fires. */
  readonly signal?: AbortSignal | undefined;
}

export function validateWait(options: WaitOptions): void {
  const { timeoutMs, signal } = given('options', options);
  validateTimeout('timeoutMs', timeoutMs);
  validateSignal(signal);
}

/** The handoff once it is answered. A session that ends without an answer, and a wait that is over, are errors. */
export async function waitForAnswer(
  session: HandoffSession,
  handoffId: string,
  { timeoutMs, signal }: WaitOptions,
): Promise<HandoffRecord> {
  const over = new AbortController();
  const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.ceil(timeoutMs));
  const ending = AbortSignal.any([over.signal, ...[timer, signal].filter((one) => one !== undefined)]);
  let expired = false;
  const watching = expiresWhileWaiting(session, ending).then((seen) => {
    expired = seen;
    if (seen) over.abort();
  });
  try {
    for await (const _ of session.follow({ signal: ending })) {
      const handoff = session.projection.getHandoff(handoffId);
      if (handoff && handoff.disposition !== Disposition.Offered) return handoff;
      if (hasEnded(session)) break;
    }
  } finally {
    over.abort();
    await watching;
  }
  const ids = { sessionId: session.sessionId };
  if (timer?.aborted && !expired)
    throw new MacpTimeoutError(`DEADLINE_EXCEEDED: no answer to ${handoffId} within ${timeoutMs} ms`, ids);
  if (signal?.aborted)
    throw new MacpTransportError(
      `CANCELLED: the wait for an answer to ${handoffId} was given up by the caller`,
      'CANCELLED',
      ids,
    );
  const state = expired ? 'EXPIRED' : session.projection.sessionState;
  throw new MacpSdkError(`the session is ${state}: there will be no answer to ${handoffId}`, ids);
}

function hasEnded({ projection }: HandoffSession): boolean {
  return projection.sessionState === 'CANCELLED' || projection.sessionState === 'RESOLVED';
}
