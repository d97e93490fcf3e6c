/** Answers that are given twice, waiting for one's turn, and writes before the work is one's own. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { useMcpServer } from './support/mcp-server.js';

const server = await useMcpServer({ env: PEOPLE });
let alice: Client;
let bob: Client;
let carol: Client;
beforeAll(async () => {
  [alice, bob, carol] = (await Promise.all(
    ['alice', 'bob', 'carol'].map((name) => connectHttp(server.url, `${name}-token`)),
  )) as [Client, Client, Client];
});
afterAll(() => Promise.all([alice.close(), bob.close(), carol.close()]));

let serial = 0;
async function worked(): Promise<string> {
  const sessionKey = `answers-${serial++}`;
  await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
  await call(alice, 'updateContext', { sessionKey, contextType: 'message', content: 'one' });
  return sessionKey;
}
async function offered(more: object = {}, sessionKey?: string): Promise<string> {
  const key = sessionKey ?? (await worked());
  const offer = { sessionKey: key, targetAgent: 'bob', requestType: 'full_handoff', ...more };
  return (await call(alice, 'requestHandoff', offer)).handoffId;
}

describe('assistants:E3 the same answer again', () => {
  it('accept: in other words, with another key, after the commit; the first reason stands', async () => {
    const handoffId = await offered({ autoCommit: false });
    const first = await call(bob, 'acceptHandoff', { handoffId, reason: 'mine', idempotencyKey: 'one' });
    expect(first).toMatchObject({ success: true });
    expect(first.replayed).toBeUndefined();
    const again = () => call(bob, 'acceptHandoff', { handoffId, reason: 'other words' });
    expect(await again()).toMatchObject({ replayed: true, handoff: { answerReason: 'mine' } });
    expect(await call(bob, 'acceptHandoff', { handoffId, idempotencyKey: 'two' })).toMatchObject({
      replayed: true,
    });
    expect(await call(bob, 'declineHandoff', { handoffId })).toMatchObject({ errorCode: 'CONFLICT' });
    await call(alice, 'commitHandoff', { handoffId });
    expect(await again()).toMatchObject({
      replayed: true,
      handoff: { phase: 'committed', answerReason: 'mine' },
    });
    expect(await call(bob, 'declineHandoff', { handoffId })).toMatchObject({ errorCode: 'CONFLICT' });
    expect(await call(alice, 'acceptHandoff', { handoffId })).toMatchObject({ success: false });
  });

  it('decline', async () => {
    const handoffId = await offered();
    await call(bob, 'declineHandoff', { handoffId, reason: 'no time' });
    expect(await call(bob, 'declineHandoff', { handoffId, reason: 'too hard' })).toMatchObject({
      replayed: true,
      handoff: { answerReason: 'no time' },
    });
    expect(await call(bob, 'acceptHandoff', { handoffId })).toMatchObject({ errorCode: 'CONFLICT' });
  });

  it('commit: also of what was committed with the accept; not another outcome or action', async () => {
    const handoffId = await offered();
    await call(bob, 'acceptHandoff', { handoffId });
    for (const more of [{}, { authorityScope: 'all of it', reason: 'because' }, { outcomePositive: true }])
      expect(await call(alice, 'commitHandoff', { handoffId, ...more })).toMatchObject({
        replayed: true,
        handoff: { phase: 'committed' },
      });
    for (const more of [{ outcomePositive: false }, { action: 'something.else' }])
      expect(await call(alice, 'commitHandoff', { handoffId, ...more })).toMatchObject({
        errorCode: 'CONFLICT',
      });
    expect(await call(bob, 'commitHandoff', { handoffId })).toMatchObject({ success: false });
  });

  it('cancel; and no answer to what was cancelled', async () => {
    const handoffId = await offered({ autoCommit: false });
    await call(bob, 'acceptHandoff', { handoffId });
    await call(alice, 'cancelHandoff', { handoffId, reason: 'first' });
    expect(await call(alice, 'cancelHandoff', { handoffId, reason: 'second' })).toMatchObject({
      replayed: true,
      handoff: { phase: 'cancelled' },
    });
    expect(await call(bob, 'acceptHandoff', { handoffId, reason: 'late' })).toMatchObject({
      errorCode: 'CONFLICT',
    });
    expect(await call(alice, 'commitHandoff', { handoffId })).toMatchObject({ errorCode: 'CONFLICT' });
  });
});

describe('assistants:E4 waiting', () => {
  it('since stands at the top, and resume may be sent back as it is', async () => {
    const handoffId = await offered();
    const idle = await call(alice, 'waitForHandoff', { handoffId, timeoutMs: 0 });
    expect(idle).toMatchObject({ changed: false, message: expect.stringContaining('call again with since') });
    expect(idle.resume).toEqual({ since: idle.since, handoffId });
    await call(bob, 'declineHandoff', { handoffId });
    const news = { changed: true, handoffs: [{ handoffId, phase: 'declined' }] };
    expect(await call(alice, 'waitForHandoff', { resume: idle.resume, timeoutMs: 0 })).toMatchObject(news);
    expect(await call(alice, 'waitForHandoff', { since: idle.since, timeoutMs: 0 })).toMatchObject(news);
    expect(await call(alice, 'waitForHandoff', { resume: { since: 'no mark' } })).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
    });
  });

  it('without an id, an acceptance that waits for my commit is there at once', async () => {
    const handoffId = await offered({ autoCommit: false });
    await call(bob, 'acceptHandoff', { handoffId });
    expect(await call(alice, 'waitForHandoff', { timeoutMs: 50_000 })).toMatchObject({
      changed: true,
      handoffs: [{ handoffId, phase: 'accepted' }],
    });
    await call(alice, 'commitHandoff', { handoffId });
    expect(await call(alice, 'waitForHandoff', { timeoutMs: 0 })).toMatchObject({
      changed: false,
      handoffs: [],
    });
  });
});

describe('assistants:E9 writes before the commitment', () => {
  const write = (client: Client, sessionKey: string) =>
    call(client, 'updateContext', { sessionKey, contextType: 'message', content: 'more' });

  it('by the target: not yours before the owner commits; strangers find nothing', async () => {
    const sessionKey = await worked();
    const handoffId = await offered({ autoCommit: false }, sessionKey);
    const early = {
      errorCode: 'FORBIDDEN',
      error: 'not yours before alice commits',
      sessionKey,
      handoffId,
    };
    expect(await write(bob, sessionKey)).toMatchObject(early);
    await call(bob, 'acceptHandoff', { handoffId });
    expect(await write(bob, sessionKey)).toMatchObject(early);
    const onward = { sessionKey, targetAgent: 'carol', requestType: 'full_handoff' };
    expect(await call(bob, 'requestHandoff', onward)).toMatchObject(early);
    expect(await write(carol, sessionKey)).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
    await call(alice, 'commitHandoff', { handoffId });
    expect(await write(bob, sessionKey)).toMatchObject({ success: true });
    expect(await write(alice, sessionKey)).toMatchObject({
      errorCode: 'FORBIDDEN',
      error: `the working session belongs to bob now. Send what it should know with handOff {to: "bob", requestType: "context_transfer", sessionKey: "${sessionKey}"}`,
    });
  });

  it('after a decline the target is a stranger again', async () => {
    const sessionKey = await worked();
    await call(bob, 'declineHandoff', { handoffId: await offered({}, sessionKey) });
    expect(await write(bob, sessionKey)).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
  });

  it('a context_transfer does not make it belong to anybody "now"', async () => {
    const sessionKey = await worked();
    const handoffId = await offered({ requestType: 'context_transfer', autoCommit: true }, sessionKey);
    expect((await write(bob, sessionKey)).error).toContain('alice offers you its context to read');
    await call(bob, 'acceptHandoff', { handoffId });
    const refused = await write(bob, sessionKey);
    expect(refused).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(refused.error).toBe(
      "the working session is alice's; you may read it up to entry 1, but not write to it",
    );
  });
});
