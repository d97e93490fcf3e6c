/**
 * The stream of a session (older era) that brings what nobody asked for, such as changes of resources. It is opened again
 * when it ends; one that ends at once ends the channel, whose next join waits a little longer each time.
 */
import type { IncomingMessage } from 'node:http';
import { readMessages } from './message-stream.js';
import { MAX_MESSAGE_BYTES, type Pause } from './post.js';
import type { Headers, Requests } from './requests.js';
import { retryAfterMs } from './retry-after.js';

export interface NoticeOptions {
  readonly requests: Requests;
  readonly signal: AbortSignal;
  line(line: string): void;
  readonly pause: Pause;
  readonly now: () => number;
}

const STEADY_MS = 5_000;
const CROWDED_MS = 15_000;
/** The session, the token or the server is gone, or the server still holds the stream that was lost. */
const LOST: ReadonlySet<number> = new Set([401, 404, 409, 500, 502, 503, 504]);

/** Resolves when the server offers no such stream. Rejects when the session or the connection is lost. */
export async function followNotices(
  { requests, signal, line, pause, now }: NoticeOptions,
  session: Headers,
  answers: Set<IncomingMessage>,
): Promise<void> {
  let last: Headers = {};
  const mark = (id: string) => {
    last = { 'last-event-id': id };
  };
  while (!signal.aborted) {
    const began = now();
    const asked = requests.ask('GET', { accept: 'text/event-stream', ...session, ...last });
    signal.addEventListener('abort', asked.cancel, { once: true });
    const answer = await asked.answer;
    const status = answer.statusCode ?? 0;
    if (LOST.has(status)) throw new Error('not there');
    if (status === 429) {
      answer.resume();
      signal.removeEventListener('abort', asked.cancel);
      await pause(retryAfterMs(answer) ?? CROWDED_MS, signal);
      continue;
    }
    if (status !== 200) return void answer.resume();
    answers.add(answer);
    // Proxies end streams as they like. Whether the server is there, the next request shows.
    await readMessages(answer, MAX_MESSAGE_BYTES, { line, mark }).catch(() => undefined);
    answers.delete(answer);
    signal.removeEventListener('abort', asked.cancel);
    if (now() - began < STEADY_MS) throw new Error('it ended at once');
  }
}
