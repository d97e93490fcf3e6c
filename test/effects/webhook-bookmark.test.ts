/** The bookmark of webhooks: where the telling begins after a start, whatever form or log the bookmark is of. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryStore, type Store } from '@handover/engine';
import { withScrambledCursors } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDeadLetters } from '../../packages/server/src/effects/webhooks/outbox.js';
import { signerOf } from '../../packages/server/src/effects/webhooks/signature.js';
import { WebhookEventType } from '../../packages/server/src/effects/webhooks/types.js';
import { Webhooks } from '../../packages/server/src/effects/webhooks/webhooks.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { accept, offer, start } from '../kit/envelopes.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';
import { createWorld, type World } from '../kit/world.js';
import { SECRET, startReceiver } from './receiver.js';

const SESSION = 'webhook-test-session-0001';
const EVENT = { id: 'msg_1', type: 'handoff.offered', at: 1, tenant: 'default', data: {} };
const DEAD = {
  event: EVENT,
  endpointId: 'gone',
  url: 'https://gone.example/',
  attempts: 5,
  failedAt: 2,
  reason: 'answered 500',
};
const PENDING = { event: EVENT, endpointId: 'e1', attempts: 0, nextAt: 0 };

let folder: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const logged: string[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  receiver = await startReceiver();
  logged.length = 0;
});
afterEach(() => receiver.close());

const file = () => join(folder, 'webhooks.json');
const bookmark = () => JSON.parse(readFileSync(file(), 'utf8')) as Record<string, unknown>;
const leave = (format: string, cursor: unknown) =>
  writeFileSync(file(), JSON.stringify({ format, cursor, pending: [], dead: [DEAD] }));

/** Runs webhooks over a store while something happens, and closes them. */
async function tell(store: Store, happens: (runtime: World) => Promise<unknown>) {
  const runtime = createWorld({ store, clock: { now: Date.now() } });
  const webhooks = new Webhooks({
    engine: runtime.engine,
    endpoints: [
      {
        id: 'e1',
        url: receiver.url,
        events: new Set(Object.values(WebhookEventType)),
        tenant: 'default',
        sign: signerOf([SECRET]) ?? (() => ''),
      },
    ],
    folder,
    rules: { allowLoopback: true },
    log: { ...silentLog, error: (event) => logged.push(event) },
    now: Date.now,
    version: 'test',
  });
  await webhooks.start();
  await happens(runtime);
  await webhooks.close();
  await runtime.engine.close();
}

/** A session with one offer in it, of which nobody was told: two entries. */
async function written(store: Store): Promise<Store> {
  const runtime = createWorld({ store, clock: { now: Date.now() } });
  await runtime.send(start(SESSION));
  await runtime.send(offer(SESSION, 'h1', 'a'));
  await runtime.engine.close();
  return store;
}

const types = () => receiver.received.map(({ type }) => type);
const told = (count: number) => () => until(() => receiver.received.length === count);

describe('a bookmark of 0.1.0', () => {
  it('is where the telling goes on, and is written in the new form', async () => {
    leave('handover-webhooks@1', 1);
    expect(readDeadLetters(folder)).toEqual([DEAD]);
    const store = await written(createMemoryStore());
    await tell(store, told(1));
    expect(types()).toEqual(['handoff.offered']);
    expect(bookmark()).toMatchObject({ format: 'handover-webhooks@2', cursor: '2', dead: [DEAD] });
    expect(logged).toEqual([]);
  });

  it('may say that nobody was to be told', async () => {
    leave('handover-webhooks@1', null);
    const store = await written(createMemoryStore());
    await tell(store, async ({ send }) => {
      await send(accept(SESSION, 'h1', 'a'));
      await told(1)();
    });
    expect(types()).toEqual(['handoff.accepted']);
  });

  it('past the end belongs to another log: the telling begins now, and the place is noted at once', async () => {
    leave('handover-webhooks@1', 1_000);
    const store = await written(createMemoryStore());
    await tell(store, async ({ send }) => {
      expect(bookmark()).toMatchObject({ cursor: '2' });
      await send(accept(SESSION, 'h1', 'a'));
      await told(1)();
    });
    expect(types()).toEqual(['handoff.accepted']);
  });
});

describe('a bookmark', () => {
  it('is a text of the store', async () => {
    const store = await written(withScrambledCursors(createMemoryStore()));
    await tell(store, async () => expect(bookmark().cursor).toBe('~2'));
    const between = createWorld({ store, clock: { now: Date.now() } });
    await between.send(accept(SESSION, 'h1', 'a'));
    await between.engine.close();
    await tell(store, told(1));
    expect(types()).toEqual(['handoff.accepted']);
    expect(bookmark()).toMatchObject({ format: 'handover-webhooks@2', cursor: '~3' });
  });

  it('of another store is reported; the telling begins now and nothing else is lost', async () => {
    leave('handover-webhooks@2', '~2');
    const store = await written(createMemoryStore());
    await tell(store, async ({ send }) => {
      await send(accept(SESSION, 'h1', 'a'));
      await told(1)();
    });
    expect([types(), logged]).toEqual([['handoff.accepted'], ['webhooks.bookmark_lost']]);
    expect(bookmark()).toMatchObject({ cursor: '3', dead: [DEAD] });
  });

  it('of no known form is set aside', async () => {
    for (const [format, cursor] of [
      ['handover-webhooks@2', 2],
      ['handover-webhooks@1', '2'],
      ['handover-webhooks@3', '2'],
    ] as const) {
      leave(format, cursor);
      await tell(createMemoryStore(), async () => undefined);
      expect(logged.splice(0)).toEqual(['webhooks.bookmark_lost']);
      expect(readFileSync(`${file()}.unreadable`, 'utf8')).toContain(format);
    }
  });

  it.each([
    ['a delivery that is nothing', { pending: [null] }],
    ['a delivery without an event', { pending: [{ ...PENDING, event: null }] }],
    ['an event without a time', { pending: [{ ...PENDING, event: { ...EVENT, at: 'now' } }] }],
    ['an event of no known type', { pending: [{ ...PENDING, event: { ...EVENT, type: 'constructor' } }] }],
    ['attempts that are no number', { pending: [{ ...PENDING, attempts: '1' }] }],
    ['a time that is none', { pending: [{ ...PENDING, nextAt: null }] }],
    ['a dead letter that is a list', { dead: [[]] }],
    ['a dead letter without a reason', { dead: [{ ...DEAD, reason: 7 }] }],
    ['deliveries that are no list', { pending: { length: 1 } }],
  ])('with %s is set aside, and the server starts', async (_name, wrong) => {
    const whole = { format: 'handover-webhooks@2', cursor: '0', pending: [PENDING], dead: [DEAD] };
    writeFileSync(file(), JSON.stringify({ ...whole, ...wrong }));
    expect(readDeadLetters(folder)).toEqual([]);
    await tell(createMemoryStore(), async () => undefined);
    expect(logged).toEqual(['webhooks.bookmark_lost']);
    expect(bookmark()).toMatchObject({ pending: [], dead: [] });
    expect(JSON.parse(readFileSync(`${file()}.unreadable`, 'utf8'))).toMatchObject(wrong);
  });

  it('that is whole is used as it is', async () => {
    writeFileSync(
      file(),
      JSON.stringify({ format: 'handover-webhooks@2', cursor: '0', pending: [PENDING], dead: [DEAD] }),
    );
    await tell(createMemoryStore(), told(1));
    expect([types(), logged]).toEqual([['handoff.offered'], []]);
  });

  it('with an id that no header can hold costs that delivery and not the server', async () => {
    const unsendable = { ...PENDING, event: { ...EVENT, id: 'msg_\n1' } };
    writeFileSync(
      file(),
      JSON.stringify({
        format: 'handover-webhooks@2',
        cursor: '0',
        pending: [unsendable, PENDING],
        dead: [],
      }),
    );
    await tell(createMemoryStore(), told(1));
    expect([types(), logged]).toEqual([['handoff.offered'], ['webhooks.unsendable']]);
  });

  it('is where the telling goes on after the log could not be read for a moment', async () => {
    leave('handover-webhooks@2', '1');
    const store = await written(createMemoryStore());
    let reads = 0;
    const broken: Store = {
      ...store,
      feed: (...args) => (reads++ === 0 ? Promise.reject(new Error('a bad block')) : store.feed(...args)),
    };
    await tell(broken, told(1));
    expect([types(), logged]).toEqual([['handoff.offered'], ['webhooks.interrupted']]);
  });
});
