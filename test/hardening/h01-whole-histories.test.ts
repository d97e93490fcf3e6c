/**
 * What reads a whole history (what-if replay, a receipt that is new) does so in slices: other requests are answered
 * meanwhile, and however many ask, one is at work at a time.
 */
import { HANDOFF_MODE } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { encodeMessage, messageToJson, pb } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { HistoryWork } from '../../packages/server/src/services/history-work.js';
import { verifies } from '../conformance/verifies.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { openServer } from '../kit/server.js';
import { createWorld } from '../kit/world.js';
import { LONG_SESSION as ID, LONG_SESSION_ENVELOPES, longSession } from './support/long-session.js';
import { rawPost } from './support/raw-http.js';
import { HELD_MS, watchLoop } from './support/watch-loop.js';

const LONG = fixedLimits.shortHistoryEntries.value + 1;

describe('hardening:H1 whole histories', { timeout: 240_000 }, () => {
  it(`${verifies('macp-2026:15:slices')}50,000 entries are replayed and signed for without holding the loop`, async () => {
    const store = createMemoryStore();
    const world = createWorld({ store });
    await longSession(store, world.clock.now);
    const owner = world.principal('owner');
    await world.services.sessions.get(owner, ID);
    const candidate = { policyId: '', mode: HANDOFF_MODE, description: '', schemaVersion: 1, rules: {} };
    let outcomes = 0;
    const stop = watchLoop();
    const answer = await world.services.whatIf.replay(owner, ID, candidate, (entries) => {
      outcomes += entries.length;
    });
    const replay = stop();
    expect('value' in answer && answer.value.firstDivergence).toBe(undefined);
    expect(outcomes).toBe(LONG_SESSION_ENVELOPES);
    const again = watchLoop();
    const receipt = await world.services.receipts.get(owner, ID);
    const signing = again();
    expect('value' in receipt && JSON.parse(receipt.value).transcript.message_count).toBe(outcomes);
    expect(Math.max(replay, signing), `${replay} ms, ${signing} ms`).toBeLessThan(HELD_MS);
  });

  it(`${verifies('macp-2026:15:slices')}the doors write what comes of 50,000 entries in pieces, and both the same`, async () => {
    const store = createMemoryStore();
    await longSession(store, Date.now());
    const server = await openServer({ store });
    const candidate = { policyId: '', mode: HANDOFF_MODE, schemaVersion: 1, rules: '{}' };
    const grpc = new GrpcClient(`${server.grpc?.host}:${server.grpc?.port}`, {
      bearer: 'owner',
      channelOptions: { 'grpc.max_receive_message_length': -1 },
    });
    const asked = encodeMessage(pb.WhatIfReplayRequestSchema, { sessionId: ID, candidate });
    const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
    const body = Buffer.from(
      JSON.stringify({
        session_id: ID,
        candidate: { policy_id: '', mode: HANDOFF_MODE, schema_version: 1, rules: {} },
      }),
    );
    const ask = () => rawPost(new URL('/macp/v1/WhatIfReplay', server.httpUrl), headers, body);
    const held: number[] = [];
    const watched = async <T>(work: () => Promise<T>): Promise<T> => {
      const stop = watchLoop();
      const made = await work();
      held.push(stop());
      return made;
    };
    await ask();
    const { status, bytes } = await watched(ask);
    const message = await watched(() => grpc.raw('whatIfReplay', asked, 'owner', 120_000));
    expect(status, bytes.toString('utf8', 0, 300)).toBe(200);
    const text = messageToJson(pb.WhatIfReplayResponseSchema, message) ?? '';
    expect(JSON.parse(text).entries).toHaveLength(LONG_SESSION_ENVELOPES);
    expect(bytes.equals(Buffer.from(text))).toBe(true);
    expect(Math.max(...held), held.join(' ms, ')).toBeLessThan(HELD_MS);
    grpc.close();
    await server.close(AbortSignal.timeout(1_000));
  });

  it('are read one at a time, callers in turns, and no more wait than may', async () => {
    const work = new HistoryWork();
    const order: string[] = [];
    let atWork = 0;
    let most = 0;
    const run = (caller: string, name: string) =>
      work.run(caller, LONG, async () => {
        most = Math.max(most, ++atWork);
        await new Promise((resolve) => setTimeout(resolve, 1));
        atWork--;
        order.push(name);
      });
    const asked = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('a', 'a4')];
    await Promise.all(asked);
    expect([most, order]).toEqual([1, ['a1', 'a2', 'b1', 'a3', 'a4']]);
    const own = fixedLimits.historiesWaitingOfCaller.value;
    const many = Array.from({ length: own + 2 }, (_, i) => run('a', `${i}`).catch((fault) => fault.code));
    expect((await Promise.all(many)).filter((code) => code === 'OVERLOADED')).toHaveLength(1);
    const callers = Array.from({ length: fixedLimits.historiesWaiting.value + 3 }, (_, i) =>
      run(`c${i}`, `${i}`).catch((fault) => fault.code),
    );
    expect((await Promise.all(callers)).filter((code) => code === 'OVERLOADED')).toHaveLength(2);
    await expect(work.run('a', LONG, () => Promise.reject(new Error('it failed')))).rejects.toThrow(
      'it failed',
    );
    await run('a', 'after');
    expect(order.at(-1)).toBe('after');
  });

  it('that are short do not wait behind long ones', async () => {
    const work = new HistoryWork();
    const order: string[] = [];
    let end = () => {};
    const long = ['a', 'b', 'c'].map((caller) =>
      work.run(caller, LONG, async () => {
        if (order.length === 0) await new Promise<void>((resolve) => (end = resolve));
        order.push('long');
      }),
    );
    await work.run('d', LONG - 1, async () => void order.push('short'));
    expect(order).toEqual(['short']);
    end();
    await Promise.all(long);
    expect(order).toEqual(['short', 'long', 'long', 'long']);
  });
});
