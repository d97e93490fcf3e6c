/** Dormant, expired, archived, purged: by configuration, by the clock, and in every answer. */
import { RequestType } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { expectSound } from './macp.js';
import { createWorld, type World } from './world.js';

const DAY = 86_400_000;
const args = { sessionKey: 'k', contextType: 'message', content: 'x' };

async function worldWithWork(settings: Record<string, string> = {}): Promise<World> {
  const world = createWorld(undefined, settings);
  await ok(
    world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice', metadata: { a: 1 } }),
  );
  await ok(world.handoffs.updateContext(alice, args));
  return world;
}

const listed = async ({ handoffs }: World, activeOnly: boolean) =>
  (await ok(handoffs.listSessions(alice, { activeOnly }))).sessions.map(({ status, dormant }) => [
    status,
    dormant,
  ]);

describe('a working session', () => {
  it('goes through its stages by the clock', async () => {
    const world = await worldWithWork();
    const view = () => ok(world.handoffs.getSession(alice, 'k'));
    expect(await view()).toMatchObject({ status: 'active', dormant: false });
    world.clock.now += 7 * DAY;
    expect(await view()).toMatchObject({ status: 'active', dormant: true });
    expect(await listed(world, true)).toEqual([['active', true]]);
    world.clock.now += 23 * DAY;
    expect(await view()).toMatchObject({ status: 'expired', lastSequence: 1 });
    expect(await listed(world, true)).toEqual([]);
    expect(await world.handoffs.updateContext(alice, args)).toEqual({
      rejection: {
        code: 'SESSION_EXPIRED',
        message: 'Session is not active',
        details: { sessionKey: 'k', currentStatus: 'expired' },
      },
    });
    world.clock.now += 90 * DAY;
    expect(await view()).toMatchObject({ status: 'archived' });
    expect(
      (await ok(world.handoffs.readContext(alice, { sessionKey: 'k', afterSequence: 0 }))).entries,
    ).toHaveLength(1);
    world.clock.now += 365 * DAY;
    expect(await code(world.handoffs.getSession(alice, 'k'))).toBe('SESSION_NOT_FOUND');
    expect(await code(world.handoffs.summarize(alice, 'k'))).toBe('SESSION_NOT_FOUND');
    expect(await code(world.handoffs.updateContext(alice, args))).toBe('SESSION_NOT_FOUND');
    expect(await listed(world, false)).toEqual([]);
    // Its key is never free again.
    expect(
      await world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }),
    ).toMatchObject({
      rejection: { code: 'CONFLICT', details: { sessionKey: 'k' } },
    });
    await expectSound(world);
  });

  it('is awake again after a write', async () => {
    const world = await worldWithWork();
    world.clock.now += 8 * DAY;
    expect((await ok(world.handoffs.updateContext(alice, args))).session).toMatchObject({
      status: 'active',
      dormant: false,
    });
    world.clock.now += 29 * DAY;
    expect(await code(world.handoffs.updateContext(alice, args))).toBe('ok');
  });

  it('lives as long as the configuration says', async () => {
    const world = await worldWithWork({
      RETENTION_DORMANT_SESSION_THRESHOLD_DAYS: '1',
      RETENTION_SESSION_EXPIRATION_DAYS: '2',
    });
    world.clock.now += DAY;
    expect(await ok(world.handoffs.getSession(alice, 'k'))).toMatchObject({ dormant: true });
    world.clock.now += DAY;
    expect(await ok(world.handoffs.getSession(alice, 'k'))).toMatchObject({ status: 'expired' });
  });

  it('takes its stages with nobody asking', async () => {
    const world = await worldWithWork({ MACP_CLEANUP_INTERVAL_SECS: '1' });
    world.clock.now += 31 * DAY;
    await world.deps.engine.catchUp();
    const [row] = await world.store.list({ tenant: 'default', kind: 'worklog', limit: 1 });
    expect(row?.row.state).toBe('expired');
  });

  it('waits for a handoff under way, and outlives an offer that ran out of time', async () => {
    const world = await worldWithWork();
    world.clock.now += 29.5 * DAY;
    const request = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.FullHandoff };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, request));
    world.clock.now += 0.9 * DAY;
    expect(await ok(world.handoffs.getSession(alice, 'k'))).toMatchObject({ status: 'active' });
    world.clock.now += 0.2 * DAY;
    expect(await ok(world.handoffs.getHandoff(bob, handoffId))).toMatchObject({ phase: 'expired' });
    expect(await ok(world.handoffs.getSession(alice, 'k'))).toMatchObject({
      status: 'active',
      owner: 'alice',
    });
    await ok(world.handoffs.requestHandoff(alice, request));
    await expectSound(world);
  });

  it('leaves the package readable after a purge, without its entries', async () => {
    const world = await worldWithWork();
    const request = {
      sessionKey: 'k',
      targetAgent: 'bob',
      requestType: RequestType.FullHandoff,
      autoCommit: true,
    };
    const { handoffId, packageDigest } = await ok(world.handoffs.requestHandoff(alice, request));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    world.clock.now += 500 * DAY;
    expect(await ok(world.handoffs.getPackage(bob, { handoffId }))).toMatchObject({
      package: { digest: packageDigest },
      entries: [],
      entriesWithheld: 'the working session has been purged',
    });
    expect(await ok(world.handoffs.getReceipt(bob, handoffId))).toMatchObject({ holder: 'bob' });
  });
});
