/** The same on SQLite: across a restart, with every table audited afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestType } from '@handover/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { verifyData } from '../../packages/server/src/proof/verify-data.js';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/index.js';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { accept, decline } from './macp.js';
import { createWorld } from './world.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handover-worklog-'));
});
afterAll(() => rm(directory, { recursive: true }));

const open = () => openSqliteStore({ directory, diskFloorBytes: 0 });
const write = { sessionKey: 'k0', contextType: 'message', content: 'x', metadata: { note: { done: 'it' } } };

it('hands work over, starts again, goes on, and verifies', async () => {
  const store = await open();
  const world = createWorld(store);
  for (let i = 0; i < 4; i++)
    await ok(
      world.handoffs.registerSession(alice, { sessionKey: `k${i}`, agentFrom: 'alice', metadata: { i } }),
    );
  await Promise.all(Array.from({ length: 200 }, () => ok(world.handoffs.updateContext(alice, write))));
  const request = (sessionKey: string, requestType: RequestType, targetAgent: string, autoCommit: boolean) =>
    ok(
      world.handoffs.requestHandoff(alice, {
        sessionKey,
        requestType,
        targetAgent,
        autoCommit,
        idempotencyKey: sessionKey,
      }),
    );
  const given = await request('k0', RequestType.FullHandoff, 'bob', true);
  const shared = await request('k1', RequestType.Collaboration, 'carol', false);
  const refused = await request('k2', RequestType.ContextTransfer, 'bob', true);
  const open3 = await request('k3', RequestType.FullHandoff, 'bob', false);
  await accept(world, bob, given.macpSessionId);
  await ok(world.handoffs.acceptHandoff(carol, { handoffId: shared.handoffId }));
  await decline(world, bob, refused.macpSessionId);
  await world.deps.engine.close();
  await store.close();

  const again = await open();
  const { handoffs, deps } = createWorld(again);
  expect(await ok(handoffs.getSession(bob, 'k0'))).toMatchObject({
    owner: 'bob',
    lastSequence: 200,
    metadata: { i: 0 },
  });
  expect((await ok(handoffs.updateContext(bob, write))).entry.sequenceNumber).toBe(201);
  expect(await code(handoffs.updateContext(alice, write))).toBe('FORBIDDEN');
  expect(await ok(handoffs.commitHandoff(alice, { handoffId: shared.handoffId }))).toMatchObject({
    status: 'completed',
  });
  expect(await ok(handoffs.getReceipt(bob, refused.handoffId))).toMatchObject({
    outcome_positive: false,
    holder: 'alice',
  });
  const repeated = {
    sessionKey: 'k3',
    requestType: RequestType.FullHandoff,
    targetAgent: 'bob',
    autoCommit: false,
  };
  expect(await handoffs.requestHandoff(alice, { ...repeated, idempotencyKey: 'k3' })).toEqual({
    value: open3,
    replayed: true,
  });
  const inbox = await ok(handoffs.listHandoffs(bob, { box: 'inbox', status: 'pending' }));
  expect(inbox.handoffs).toEqual([await ok(handoffs.getHandoff(bob, open3.handoffId))]);
  const { package: handed, entries } = await ok(
    handoffs.getPackage(bob, { handoffId: given.handoffId, afterSequence: 195 }),
  );
  expect(entries.map(({ sequenceNumber }) => sequenceNumber)).toEqual([196, 197, 198, 199, 200]);
  expect(handed?.manifest).toMatchObject({ entries: 200, lastSequence: 200 });
  await deps.engine.close();
  await again.close();

  const report = await verifyData(join(directory, 'handover.db'), { codec });
  expect(report).toMatchObject({ flaws: [], kinds: { worklog: 4, session: 4 } });
});
