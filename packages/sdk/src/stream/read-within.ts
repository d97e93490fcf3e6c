import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { MacpTimeoutError } from '../errors.js';
import type { CallOptions } from '../transport/call-options.js';
import { either } from '../transport/either.js';
import type { SequencedEnvelope } from './subscribe.js';

interface ReadOptions extends CallOptions {
  readonly auth: AuthConfig | undefined;
  readonly afterSequence: number;
}

/** The history up to now, or an error when it has not ended in time: a server may leave a read unanswered. */
export async function readWithin(
  client: MacpClient,
  sessionId: string,
  { deadlineMs = client.defaultDeadlineMs, signal, auth, afterSequence }: ReadOptions,
  take: (item: SequencedEnvelope) => void,
): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.ceil(deadlineMs));
  try {
    const from = { auth, signal: either(late.signal, signal), afterSequence };
    for await (const item of client.readHistory(sessionId, from)) take(item);
  } finally {
    clearTimeout(timer);
  }
  if (late.signal.aborted)
    throw new MacpTimeoutError(
      `DEADLINE_EXCEEDED: the history was not read within ${deadlineMs} ms; sync() again goes on`,
      { sessionId },
    );
}
