/**
 * A whole handoff in one call.
 *
 * H1. Every argument is checked before the first message.
 * H2. The ids of the messages follow from the handoff: a call that is repeated adds nothing, and goes on where it was.
 * H3. `timeoutMs` and `signal` end all of it: the messages and the wait.
 * H4. Where its context is refused, the session that it has started is cancelled: nobody takes an offer without it.
 * H5. What it leaves to the caller, the Commitment above all, may be there already: the history was read to its end then.
 */

import { validateFlag, validateRequiredField, validateTexts } from '../arguments.js';
import { PAYLOAD_TOO_LARGE } from '../error-codes.js';
import { MacpAckError, MacpSdkError } from '../errors.js';
import type { CallOptions } from '../transport/call-options.js';
import { timeLeft } from '../transport/time-left.js';
import { validateId, validateTtlMs } from '../validation.js';
import { type ContextContent, encodeContext } from './context-content.js';
import type { HandoffRecord } from './records.js';
import type { HandoffSession } from './session.js';
import { validateWait, type WaitOptions, waitForAnswer } from './wait-for-answer.js';

/** What `handOver` does beside what it must. */
export interface HandOverOptions extends WaitOptions {
  /** What is handed over; shown to the target. */
  readonly scope?: string | undefined;
  /** Why; shown to the target. */
  readonly reason?: string | undefined;
  /** What the context is, where it is something else than its JavaScript type says: `text/markdown`. */
  readonly contentType?: string | undefined;
  /** An id of one's own: a process that is started again under the same session id repeats its messages and adds none. */
  readonly handoffId?: string | undefined;
  /** Life of the session, where this starts it; ten minutes by default. */
  readonly ttlMs?: number | undefined;
  /** False leaves the Commitment to the caller. */
  readonly commit?: boolean | undefined;
}

const TEN_MINUTES_MS = 600_000;

/** Offers, sends the context, waits for the answer and commits it. Message ids follow from the handoff. */
export async function handOver(
  session: HandoffSession,
  target: string,
  content: ContextContent | undefined,
  options: HandOverOptions,
): Promise<HandoffRecord> {
  const { scope = '', reason = '', handoffId = `to:${target}`, ttlMs = TEN_MINUTES_MS } = options;
  const context = checked(options, handoffId, ttlMs, content);
  const { sessionId } = session;
  const call = callsWithin(options, sessionId);
  const starts = session.projection.sessionStart === undefined;
  if (starts) {
    const intent = [scope, reason].find((text) => text.trim() !== '') ?? `handoff to ${target}`;
    const start = { intent, participants: [target], ttlMs, messageId: `start:${sessionId}` };
    await session.start({ ...start, ...call() });
  }
  const messageId = `offer:${handoffId}`;
  await session.offer({ handoffId, targetParticipant: target, scope, reason, messageId, ...call() });
  if (context) {
    const said = { handoffId, ...context, messageId: `context:${handoffId}` };
    try {
      await session.sendContext({ ...said, ...call() });
    } catch (error) {
      // An offer cannot be taken back, and the target would decide without the context.
      if (starts && isRefusal(error)) await session.cancel('the context was refused');
      throw error;
    }
  }
  const { deadlineMs: timeoutMs, signal } = call();
  const handoff = await waitForAnswer(session, handoffId, { timeoutMs, signal });
  const ids = { messageId: `commit:${sessionId}`, commitmentId: `commit:${sessionId}` };
  // A declined target leaves the session open: somebody else can be asked.
  if (options.commit !== false && handoff.disposition === 'accepted')
    await session.commit({ ...ids, ...call() });
  else await session.sync(call());
  return handoff;
}

function checked(
  options: HandOverOptions,
  handoffId: string,
  ttlMs: number,
  content: ContextContent | undefined,
) {
  const { scope, reason, contentType, commit } = options;
  validateId('handoffId', handoffId);
  validateTtlMs(ttlMs);
  validateTexts({ scope, reason });
  if (contentType !== undefined) validateRequiredField('contentType', contentType);
  validateFlag('commit', commit);
  validateWait(options);
  return content === undefined ? undefined : encodeContext(content, contentType);
}

const isRefusal = (error: unknown) =>
  error instanceof MacpAckError || (error instanceof MacpSdkError && error.macpCode === PAYLOAD_TOO_LARGE);

/** Options for the next call, with what is left of the time; without a time, the client's own deadline holds. */
function callsWithin({ timeoutMs, signal }: WaitOptions, sessionId: string): () => CallOptions {
  const left = timeLeft({ deadlineMs: timeoutMs }, sessionId);
  return () => ({ ...left(), signal });
}
