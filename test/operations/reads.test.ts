/** What a page's posts cost in reads: counted on the store and on the fold, not timed. */
import { operationDecider } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { O1 } from './support/examples.js';
import { openWorld, secretIn, type World } from './support/world.js';

const HISTORY = 50;
const store: Store = createMemoryStore();
/** Of each read of whole entries, how many it gave. */
const reads: number[] = [];
const counted: Store = {
  ...store,
  read: async (...asked) => {
    const entries = await store.read(...asked);
    reads.push(entries.length);
    return entries;
  },
};
const folds = vi.spyOn(operationDecider, 'evolve');
const worlds: World[] = [];
const open = async () => {
  const world = await openWorld({ store: counted });
  worlds.push(world);
  return world;
};
afterAll(async () => {
  for (const world of worlds) await world.close();
});
beforeEach(() => {
  reads.length = 0;
  folds.mockClear();
});

/** The n-th try at the one step: asked of the wallet, then failed. Each is an entry. */
const attempt = (n: number) =>
  n % 2 === 0
    ? { status: 'tx_requested', stepId: 'step_1' }
    : { status: 'failed', stepId: 'step_1', error: `try ${n}` };

const world = await open();
const { data } = await world.tool('agent', 'create_operation_handoff', O1());
const path = `/api/operations/${data.id}`;
const secret = secretIn(data.operationUrl);
await world.api(`${path}/status`, { secret, body: { status: 'opened' } });
await world.api(`${path}/status`, { secret, body: { status: 'wallet_connected' } });
for (let n = 0; n < HISTORY - 3; n++) await world.api(`${path}/status`, { secret, body: attempt(n) });

it('a post on a record with fifty entries reads none of them and folds the new one alone', async () => {
  const { status, json } = await world.api(`${path}/status`, { secret, body: attempt(HISTORY - 3) });
  expect(status).toBe(200);
  expect(json.events).toHaveLength(HISTORY + 1);
  expect(json.steps[0].error).toBe(`try ${HISTORY - 3}`);
  expect(reads).toEqual([]);
  expect(folds).toHaveBeenCalledTimes(1);
});

it('looking again reads and folds nothing', async () => {
  expect((await world.api(path, { secret })).json.events).toHaveLength(HISTORY + 1);
  expect(reads).toEqual([]);
  expect(folds).not.toHaveBeenCalled();
});

it('a wrong secret reads nothing', async () => {
  const wrong = `${secret.slice(1)}A`;
  expect((await world.api(`${path}/status`, { secret: wrong, body: attempt(0) })).status).toBe(404);
  expect(reads).toEqual([]);
});

it('a server that has just started reads what was asked for and the other entries, once, to the same view', async () => {
  const before = (await world.api(path, { secret })).json;
  await world.close();
  worlds.length = 0;
  const next = await open();
  // The secret is checked against a key of the server's own, which a server in memory makes anew.
  const list = await next.tool('agent', 'list_recent_operations', { limit: 1 });
  expect(list.data.operations?.[0]?.id ?? list.data[0]?.id).toBe(data.id);
  expect(before.events).toHaveLength(HISTORY + 1);
  // The step has failed, and why stands in an event.
  expect(reads).toEqual([1, HISTORY]);
  reads.length = 0;
  await next.tool('agent', 'get_operation_status', { operationId: data.id });
  expect(reads).toEqual([]);
});
