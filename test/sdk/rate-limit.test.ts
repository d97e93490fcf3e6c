/** More than the server takes in a minute: the wait that it asks for is kept, and nobody asks again before it is over. */
import type { HandoffSession, WorkerFailure } from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { answerOf, offered, sendText, useWorkers } from './support/offers.js';
import { useServer } from './support/server.js';

const LIMIT = 40;
const BURST = 60;
const CONCURRENCY = 4;

describe('a rate-limited burst', () => {
  const server = useServer({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: String(LIMIT) } });
  const work = useWorkers();

  /** Requests that the server has refused for their rate. */
  async function refused(): Promise<number> {
    const text = await (await fetch(`${server.http()}/metrics`)).text();
    const counts = [...text.matchAll(/^handover_rate_limited_total\{[^}]*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Messages of one session: each that is too many is refused once, and waits. */
  async function sayMuch(): Promise<void> {
    const session = await offered(server.as('alice'), [], { to: 'dave' });
    await Promise.all(Array.from({ length: BURST }, (_, n) => sendText(session, String(n))));
    expect((await session.sync()).contexts.get('h1')).toHaveLength(BURST);
  }

  /** Answers of one worker, to offers of owners of whom each says little. */
  async function answerMuch(): Promise<void> {
    const sessions: HandoffSession[] = [];
    for (let n = 0; n < BURST; n++) sessions.push(await offered(server.as(`owner-${n}`)));
    const failures: WorkerFailure[] = [];
    const decisions: string[] = [];
    const worker = work({
      client: server.as('bob'),
      concurrency: CONCURRENCY,
      decide: ({ sessionId }) => decisions.push(sessionId) > 0,
      onError: (failure) => failures.push(failure),
    });
    await expect.poll(() => worker.stats().accepted, { timeout: 120_000, interval: 200 }).toBe(BURST);
    for (const session of sessions) expect(await answerOf(session)).toBe('accepted');
    expect(new Set(decisions).size).toBe(BURST);
    expect(decisions).toHaveLength(BURST);
    expect(failures).toEqual([]);
  }

  it('ends without an error and without a storm of retries', { timeout: 200_000 }, async () => {
    await Promise.all([sayMuch(), answerMuch()]);
    // Of the session all that were too many, its offer among the messages; of the worker what was under way at once.
    const ofTheSession = BURST + 1 - LIMIT;
    const all = await refused();
    expect(all).toBeGreaterThan(ofTheSession);
    expect(all).toBeLessThanOrEqual(ofTheSession + 2 * CONCURRENCY);
  });
});
