/**
 * Requests with an id that was under way took the answer of the first one, which never ended: 59 of 60 connections stayed
 * open. Now an id that is under way is refused at once, and the number of requests under way is bounded.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { openLocalSocket } from './support/local-socket.js';
import { type RawAnswer, RawMcp } from './support/mcp-session.js';

let doors: Doors;
let alice: RawMcp;
beforeEach(async () => {
  doors = await openDoors({ env: { HANDOVER_LISTENERS_PER_PRINCIPAL: '1000' } });
  alice = new RawMcp(doors.mcpUrl, 'alice');
});
afterEach(async () => {
  alice.close();
  await doors.close();
});

const wait = (id: number | string, timeoutMs: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'waitForHandoff', arguments: { timeoutMs } },
});
const cancel = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
const statuses = (answers: readonly RawAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status);

describe('hardening:H9 an id that is under way', () => {
  it('is refused at once in an HTTP session, and nothing stays open', async () => {
    const session = await alice.open();
    const answers = await Promise.all(Array.from({ length: 60 }, () => alice.post(wait(2, 1_000), session)));
    expect([statuses(answers, 200).length, statuses(answers, 400).length]).toEqual([1, 59]);
    expect(JSON.parse(statuses(answers, 400)[0]?.text ?? '')).toMatchObject({
      id: 2,
      error: { code: -32_600, message: expect.stringContaining('id 2 is under way') },
    });
    expect(doors.deps.listeners.count).toBe(0);
    // An id that was answered may come again; ids 2 and "2" are not one.
    const again = await Promise.all([wait(2, 1), wait('2', 1)].map((one) => alice.post(one, session)));
    expect(statuses(again, 200)).toHaveLength(2);
    // Nor may one batch have it twice.
    const batch = [wait(3, 1), wait(3, 1)];
    expect((await alice.post(batch, session)).status).toBe(400);
    expect((await alice.post(wait(3, 1), session)).status).toBe(200);
  });

  it('is free again when it was cancelled, and the stream that waited has ended', async () => {
    const session = await alice.open();
    const waiting = alice.post(wait(2, 50_000), session);
    await until(() => doors.deps.listeners.count === 1);
    await alice.post(cancel(2), session);
    expect(await waiting).toMatchObject({ status: 200, text: expect.not.stringContaining('data: {') });
    expect((await alice.post(wait(2, 1), session)).text).toContain('"id":2');
    expect(doors.deps.listeners.count).toBe(0);
  });

  it('is free again when its request was refused', async () => {
    const session = await alice.open();
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const again = await alice.post({ jsonrpc: '2.0', id: 2, method: 'initialize', params }, session);
    expect(again.status).toBe(400);
    expect((await alice.post(wait(2, 1), session)).status).toBe(200);
  });

  it('is refused on the local socket, too', async () => {
    const local = await openLocalSocket(doors);
    const client = await local.connect('alice');
    await client.initialize();
    const before = client.answers.length;
    client.say(...Array.from({ length: 60 }, () => wait(2, 500)));
    await until(() => client.answers.length === before + 60);
    const said = client.answers.slice(before);
    expect(said.filter(({ error }) => error?.code === -32_600)).toHaveLength(59);
    expect(said.at(-1)).toMatchObject({ id: 2, result: { structuredContent: { success: true } } });
    client.say(wait(2, 1));
    await until(() => client.answers.length === before + 61);
    client.socket.destroy();
    await local.close();
  });
});

describe('hardening:H9 requests under way', () => {
  const MOST = fixedLimits.mcpRequestsUnderWay.value;

  it('of one HTTP session are bounded', async () => {
    const session = await alice.open();
    const waits = Array.from({ length: MOST + 20 }, (_, id) => alice.post(wait(id, 2_000), session));
    const answers = await Promise.all(waits);
    expect([statuses(answers, 200).length, statuses(answers, 429).length]).toEqual([MOST, 20]);
    expect(doors.deps.listeners.count).toBe(0);
  });

  it('of one connection are bounded: further lines wait', async () => {
    const local = await openLocalSocket(doors);
    const client = await local.connect('alice');
    await client.initialize();
    const before = client.answers.length;
    client.say(...Array.from({ length: MOST + 20 }, (_, id) => wait(id, 2_000)));
    await until(() => doors.deps.listeners.count >= MOST);
    await pause(100);
    expect(doors.deps.listeners.count - MOST).toBeLessThanOrEqual(1);
    await until(() => client.answers.length === before + MOST + 20);
    client.socket.destroy();
    await local.close();
  });
});
