import { MacpSessionError } from '../errors.js';
import { type ContextContent, encodeContext } from './context-content.js';
import type { HandoffRecord } from './records.js';
import type { HandoffSession } from './session.js';
import { type WaitOptions, waitForAnswer } from './wait-for-answer.js';

/** What `handOver` does beside what it must. */
export interface HandOverOptions extends WaitOptions {
  /** What is handed over; shown to the target. */
  readonly scope?: string | undefined;
  readonly reason?: string | undefined;
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
  if (typeof target !== 'string' || target.trim() === '')
    throw new MacpSessionError('target is missing or blank', 'target');
  const context = content === undefined ? undefined : encodeContext(content, options.contentType);
  const { sessionId } = session;
  if (!session.projection.sessionStart) {
    const intent = scope || reason || `handoff to ${target}`;
    await session.start({ intent, participants: [target], ttlMs, messageId: `start:${sessionId}` });
  }
  await session.offer({
    handoffId,
    targetParticipant: target,
    scope,
    reason,
    messageId: `offer:${handoffId}`,
  });
  if (context) await session.sendContext({ handoffId, ...context, messageId: `context:${handoffId}` });
  const handoff = await waitForAnswer(session, handoffId, options);
  const ids = { messageId: `commit:${sessionId}`, commitmentId: `commit:${sessionId}` };
  // A declined target leaves the session open: somebody else can be asked.
  if (options.commit !== false && handoff.disposition === 'accepted') await session.commit(ids);
  return handoff;
}
