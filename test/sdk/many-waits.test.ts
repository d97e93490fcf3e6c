/** More waits and streams of one identity than its server allows. */
import {
  configureLogging,
  HandoffSession,
  MacpSessionEndedError,
  MacpTimeoutError,
  type MacpTransportError,
} from 'macp-sdk-typescript';
import { afterEach, describe, expect, it } from 'vitest';
import { useWorkers } from './support/offers.js';
import { useServer } from './support/server.js';

describe('waits beyond the streams that a server allows', () => {
  const server = useServer({ env: { HANDOVER_LISTENERS_PER_PRINCIPAL: '24' } });
  const work = useWorkers();
  const lines: string[] = [];
  afterEach(() => {
    configureLogging({ level: 'warn', sink: (level, message) => void console.error(level, message) });
  });

  it('hear their answers all the same, and leave room for a look', async () => {
    const client = server.as('alice');
    const over = new AbortController();
    const give = (target: string, timeoutMs?: number) =>
      new HandoffSession(client).handOver(target, 'x', { timeoutMs, signal: over.signal });
    const waits = Array.from({ length: 40 }, () => give('nobody'));
    const ends = waits.map((wait) => wait.catch((error: MacpTransportError) => error.code));
    work({ client: server.as('bob'), decide: () => true });
    const answered = await Promise.all(Array.from({ length: 10 }, () => give('bob', 30_000)));
    expect(answered.map(({ disposition }) => disposition)).toEqual(Array(10).fill('accepted'));
    const session = new HandoffSession(client);
    await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });
    expect((await session.sync()).sessionState).toBe('OPEN');
    over.abort();
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['CANCELLED']));
  });

  it('say why nothing is heard, once', async () => {
    configureLogging({ level: 'warn', sink: (_, message) => lines.push(message) });
    const client = server.as('dora');
    const over = new AbortController();
    const sessions = Array.from({ length: 30 }, () => new HandoffSession(client));
    for (const session of sessions)
      await session.start({ intent: 'x', participants: ['nobody'], ttlMs: 60_000 });
    let heard = 0;
    const follows = sessions.map(async (session) => {
      for await (const _ of session.follow({ signal: over.signal })) heard++;
    });
    await expect.poll(() => heard).toBe(24);
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toContain('HANDOVER_LISTENERS_PER_PRINCIPAL');
    const failed = await new HandoffSession(client)
      .handOver('nobody', 'x', { timeoutMs: 1_500 })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(MacpTimeoutError);
    expect((failed as Error).message).toContain('HANDOVER_LISTENERS_PER_PRINCIPAL');
    const look = await sessions[29]?.sync().catch((error: unknown) => error);
    expect(look).toMatchObject({ macpCode: 'RATE_LIMITED', advice: expect.stringContaining('end first') });
    expect(lines).toHaveLength(1);
    over.abort();
    await Promise.all(follows);
    expect(heard).toBe(24);
  });

  it('end with the state of a session that has ended', async () => {
    const client = server.as('erin');
    for (const [ttlMs, state] of [
      [700, 'EXPIRED'],
      [60_000, 'CANCELLED'],
    ] as const) {
      const session = new HandoffSession(client);
      const waiting = session.handOver('nobody', 'x', { ttlMs }).catch((error: unknown) => error);
      if (state === 'CANCELLED') {
        await expect.poll(() => session.projection.getHandoff('to:nobody')).toBeDefined();
        await session.cancel();
      }
      const ended = await waiting;
      expect(ended).toBeInstanceOf(MacpSessionEndedError);
      expect(ended).toMatchObject({ state, advice: expect.stringContaining('state') });
    }
  });
});
