/** Webhooks against a real receiver: what is sent, that it is signed, and what happens when nobody listens. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultCode, HandoverError } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { signerOf } from '../../packages/server/src/effects/webhooks/signature.js';
import { type WebhookEndpoint, WebhookEventType } from '../../packages/server/src/effects/webhooks/types.js';
import { Webhooks, type WebhooksOptions } from '../../packages/server/src/effects/webhooks/webhooks.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { accept, commit, context, decline, offer, start } from '../kit/envelopes.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { until } from '../kit/until.js';
import { createWorld, handoffsOf } from '../kit/world.js';
import { type Behaviour, SECRET, startReceiver } from './receiver.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const endpoint = (url: string, over: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: 'e1',
  url,
  events: new Set(Object.values(WebhookEventType)),
  tenant: 'default',
  sign: signerOf([SECRET]) ?? (() => ''),
  ...over,
});

async function receiver(behave?: Behaviour, port?: number) {
  const started = await startReceiver(behave, port);
  cleanUps.push(() => started.close());
  return started;
}

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'handover-webhooks-'));
  cleanUps.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

/** A runtime with webhooks on it, over a store that can outlive both. */
async function world(
  endpoints: readonly WebhookEndpoint[],
  over: Partial<WebhooksOptions> = {},
  store?: Store,
) {
  const runtime = createWorld({ clock: { now: Date.now() }, ...(store && { store }) });
  const webhooks = new Webhooks({
    engine: runtime.engine,
    endpoints,
    rules: { allowLoopback: true },
    log: silentLog,
    now: Date.now,
    version: 'test',
    schedule: { firstMs: 20, maxMs: 50, attempts: 5 },
    timeoutMs: 2_000,
    ...over,
  });
  await webhooks.start();
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await webhooks.close();
    await runtime.engine.close();
  };
  cleanUps.push(close);
  return { ...runtime, webhooks, close };
}

describe('what is sent', () => {
  it('each step of a handoff, signed, with ids and status and nothing of the content', async () => {
    const { received, url } = await receiver();
    const { send, webhooks } = await world([endpoint(url)]);
    const id = 'webhook-test-session-0001';
    const canary = 'CANARY-CONTEXT';
    for (const message of [
      start(id),
      offer(id, 'h 1', 'a'),
      context(id, 'h 1', canary),
      accept(id, 'h 1', 'a'),
      commit(id, 'owner', { reason: canary }),
    ])
      expect(await send(message)).toMatchObject({ ok: true });
    await until(() => received.length === 3 && webhooks.pending === 0);
    const byType = new Map(received.map((one) => [one.type, one]));
    const data = { handoffId: `${id}:h%201`, macpSessionId: id, from: 'owner', to: 'a' };
    expect(byType.get('handoff.offered')?.data).toEqual({ ...data, status: 'pending' });
    expect(byType.get('handoff.accepted')?.data).toEqual({ ...data, status: 'pending' });
    expect(byType.get('handoff.committed')?.data).toEqual({ ...data, status: 'completed' });
    expect(received.every(({ signed }) => signed)).toBe(true);
    expect(new Set(received.map(({ id: messageId }) => messageId)).size).toBe(3);
    expect(JSON.stringify(received)).not.toContain('CANARY');
  });

  it('assistants:8 work that was left for whoever comes next, and work that was taken over, by ids and status', async () => {
    const { received, url } = await receiver();
    const made = await world([endpoint(url)]);
    const handoffs = handoffsOf(made);
    const canary = 'CANARY-REASON';
    for (const sessionKey of ['left', 'taken', 'offered']) {
      await ok(handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));
      await ok(handoffs.updateContext(alice, { sessionKey, contextType: 'message', content: canary }));
    }
    const park = { requestType: 'full_handoff', until: Date.now() + 60_000, by: 'owner' } as const;
    await ok(handoffs.park(alice, { ...park, sessionKey: 'left', takers: ['*'] }));
    await ok(handoffs.park(alice, { ...park, sessionKey: 'offered', takers: ['bob'] }));
    await ok(handoffs.park(alice, { ...park, sessionKey: 'left', takers: [] }));
    const policy = { by: 'person', afterSecs: 0 } as const;
    const { handoffId, macpSessionId } = await ok(
      handoffs.takeOver(bob, { sessionKey: 'taken', policy, lastSignAt: 0, reason: canary }),
    );
    await until(() => received.length === 2 && made.webhooks.pending === 0);
    const about = { requestType: 'full_handoff', from: 'alice' };
    expect(received.map(({ type, data }) => [type, data])).toEqual([
      ['session.parked', { ...about, sessionKey: 'left', to: '*', status: 'pending' }],
      [
        'handoff.taken',
        {
          ...{ ...about, handoffId, macpSessionId, sessionKey: 'taken', to: 'bob' },
          ...{ authority: 'operator', status: 'completed' },
        },
      ],
    ]);
    expect(JSON.stringify(received)).not.toContain('CANARY');
  });

  it('is not lost when the store is busy while it is read', async () => {
    const { received, url } = await receiver();
    const { send, engine, webhooks, state } = await world([endpoint(url)]);
    const query = engine.query.bind(engine);
    let failures = 0;
    engine.query = ((ref: never) => {
      if (failures++ > 0) return query(ref);
      return Promise.reject(new HandoverError(FaultCode.INTERNAL, 'busy', { next: 'retryable' }));
    }) as never;
    await send(start('busy-store-session-0001'));
    await send(offer('busy-store-session-0001', 'h1', 'a'));
    await until(() => received.length === 1 && webhooks.pending === 0);
    expect(received[0]?.type).toBe('handoff.offered');
    expect(await state('busy-store-session-0001')).toBeDefined();
  });

  it('declined, expired, cancelled, and a negative Commitment as failed', async () => {
    const { received, url } = await receiver();
    const { send, engine, services, principal, clock } = await world([endpoint(url)]);
    await send(start('declined-test-session-0001'));
    await send(offer('declined-test-session-0001', 'h1', 'a'));
    await send(decline('declined-test-session-0001', 'h1', 'a'));
    await send(
      commit('declined-test-session-0001', 'owner', { outcomePositive: false, action: 'handoff.declined' }),
    );
    await send(start('cancelled-test-session-0001'));
    await send(offer('cancelled-test-session-0001', 'h1', 'a'));
    await services.sessions.control(principal('owner'), 'cancelled-test-session-0001', 'cancel', '');
    await send(start('expired-test-session-0001'));
    await send(offer('expired-test-session-0001', 'h1', 'a'));
    clock.now += 60_002;
    await engine.query({ tenant: 'default', kind: 'session', id: 'expired-test-session-0001' });
    await until(() => received.length === 7);
    const said = received.map(({ type, data }) => `${data.macpSessionId} ${type} ${data.status}`).sort();
    expect(said).toEqual([
      'cancelled-test-session-0001 handoff.cancelled failed',
      'cancelled-test-session-0001 handoff.offered pending',
      'declined-test-session-0001 handoff.committed failed',
      'declined-test-session-0001 handoff.declined failed',
      'declined-test-session-0001 handoff.offered pending',
      'expired-test-session-0001 handoff.expired failed',
      'expired-test-session-0001 handoff.offered pending',
    ]);
  });

  it('only what an address asked for, only of its tenant', async () => {
    const { received, url } = await receiver();
    const picky = endpoint(`${url}/picky`, { id: 'e1', events: new Set(['handoff.accepted']) });
    const other = endpoint(`${url}/other`, { id: 'e2', tenant: 'elsewhere' });
    const all = endpoint(`${url}/all`, { id: 'e3' });
    const { send } = await world([picky, other, all]);
    await send(start('webhook-test-session-0001'));
    await send(offer('webhook-test-session-0001', 'h1', 'a'));
    await send(accept('webhook-test-session-0001', 'h1', 'a'));
    await until(() => received.length === 3);
    const said = received.map(({ path, type }) => `${path} ${type}`).sort();
    expect(said).toEqual([
      '/hook/all handoff.accepted',
      '/hook/all handoff.offered',
      '/hook/picky handoff.accepted',
    ]);
  });

  it('a signature for each secret while one is being replaced', () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(signerOf([SECRET, other])?.('msg_1', 1, '{}').split(' ')).toHaveLength(2);
  });

  it('signs as the published example of the standard does', () => {
    const sign = signerOf(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
    const signature = sign?.('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}');
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('when the receiver fails', () => {
  it('tries again under the same id, after errors, redirects and silence', async () => {
    const elsewhere = await receiver();
    const { received, url } = await receiver((n) => {
      if (n === 1) return { status: 500 };
      if (n === 2) return { status: 302, headers: { location: elsewhere.url } };
      return n === 3 ? undefined : { status: 200 };
    });
    const { send, webhooks } = await world([endpoint(url)], { timeoutMs: 200 });
    await send(start('webhook-test-session-0001'));
    await send(offer('webhook-test-session-0001', 'h1', 'a'));
    await until(() => received.length === 4 && webhooks.pending === 0);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(received.every(({ signed }) => signed)).toBe(true);
    expect(elsewhere.received).toEqual([]);
    expect(webhooks.dead).toEqual([]);
  });

  it('gives up after the last attempt, and keeps what it was', async () => {
    const { received, url } = await receiver(() => ({ status: 503 }));
    const place = folder();
    const { send, webhooks, close } = await world([endpoint(url)], { folder: place });
    await send(start('webhook-test-session-0001'));
    await send(offer('webhook-test-session-0001', 'h1', 'a'));
    await until(() => webhooks.dead.length === 1);
    expect(received).toHaveLength(5);
    expect(webhooks.dead[0]).toMatchObject({
      event: { type: 'handoff.offered', id: received[0]?.id },
      url,
      attempts: 5,
      reason: 'answered 503',
    });
    await close();
    const again = await world([endpoint(url)], { folder: place });
    expect(again.webhooks.dead).toHaveLength(1);
    expect(statSync(join(place, 'webhooks.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place, 'webhooks.json'), 'utf8')).not.toContain(SECRET.slice(6));
  });

  it('410 means: no more', async () => {
    const { received, url } = await receiver(() => ({ status: 410 }));
    const { send, webhooks } = await world([endpoint(url)]);
    await send(start('webhook-test-session-0001'));
    await send(offer('webhook-test-session-0001', 'h1', 'a'));
    await until(() => webhooks.dead.length === 1);
    expect(received).toHaveLength(1);
  });

  it('waits as long as it is asked to', async () => {
    const { received, url } = await receiver((n) =>
      n === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 },
    );
    const began = Date.now();
    const { send, webhooks } = await world([endpoint(url)]);
    await send(start('webhook-test-session-0001'));
    await send(offer('webhook-test-session-0001', 'h1', 'a'));
    await until(() => received.length === 2 && webhooks.pending === 0);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  it('one that is down does not hold up another', async () => {
    const down = await receiver(() => undefined);
    const up = await receiver();
    const { send } = await world([endpoint(down.url, { id: 'e1' }), endpoint(up.url, { id: 'e2' })]);
    for (let n = 0; n < 20; n++) {
      await send(start(`webhook-test-session-${1000 + n}`));
      await send(offer(`webhook-test-session-${1000 + n}`, 'h1', 'a'));
    }
    await until(() => up.received.length === 20);
    expect(down.received.length).toBeLessThanOrEqual(4);
  });
});

describe('over a restart', () => {
  it('goes on with what was left, under the same id, and with what happened meanwhile', async () => {
    const store = createMemoryStore();
    const place = folder();
    const first = await receiver(() => ({ status: 500 }));
    const before = await world([endpoint(first.url)], { folder: place }, store);
    await before.send(start('webhook-test-session-0001'));
    await before.send(offer('webhook-test-session-0001', 'h1', 'a'));
    await until(() => first.received.length >= 1);
    await before.close();
    const [refused] = first.received;
    await first.close();
    const between = createWorld({ store, clock: { now: Date.now() } });
    await between.send(accept('webhook-test-session-0001', 'h1', 'a'));
    await between.engine.close();
    const second = await receiver(undefined, first.port);
    const { webhooks } = await world([endpoint(second.url)], { folder: place }, store);
    await until(() => second.received.length === 2 && webhooks.pending === 0);
    const offered = second.received.find(({ type }) => type === 'handoff.offered');
    expect(offered?.id).toBe(refused?.id);
    expect(second.received.map(({ type }) => type).sort()).toEqual(['handoff.accepted', 'handoff.offered']);
  });

  it('begins with what happens from now on when nobody was told before, and after a time of telling nobody', async () => {
    const store = createMemoryStore();
    const place = folder();
    const early = createWorld({ store, clock: { now: Date.now() } });
    await early.send(start('webhook-test-session-0001'));
    await early.send(offer('webhook-test-session-0001', 'h1', 'a'));
    await early.engine.close();
    const { received, url } = await receiver();
    const first = await world([endpoint(url)], { folder: place }, store);
    await first.send(accept('webhook-test-session-0001', 'h1', 'a'));
    await until(() => received.length === 1 && first.webhooks.pending === 0);
    await first.close();
    const silent = await world([], { folder: place }, store);
    await silent.send(commit('webhook-test-session-0001'));
    await silent.close();
    const last = await world([endpoint(url)], { folder: place }, store);
    await last.send(start('webhook-test-session-0002'));
    await last.send(offer('webhook-test-session-0002', 'h1', 'a'));
    await until(() => received.length === 2 && last.webhooks.pending === 0);
    expect(received.map(({ type }) => type)).toEqual(['handoff.accepted', 'handoff.offered']);
  });
});
