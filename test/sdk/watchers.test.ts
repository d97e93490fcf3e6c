import {
  buildHandoffPolicy,
  HandoffSession,
  isTerminalSessionLifecycleEvent,
  type MacpClient,
  ModeRegistryWatcher,
  PolicyWatcher,
  parseMessage,
  RootsWatcher,
  type SessionLifecycleEvent,
  SessionLifecycleWatcher,
  SignalWatcher,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

async function started(client: MacpClient) {
  const session = new HandoffSession(client);
  await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });
  return session;
}

/** Collects what an iteration yields until it is stopped. */
function collect<T>(iterate: (signal: AbortSignal) => AsyncIterable<T>) {
  const stop = new AbortController();
  const values: T[] = [];
  const done = (async () => {
    for await (const value of iterate(stop.signal)) values.push(value);
  })();
  return {
    values,
    async stop() {
      stop.abort();
      await done;
    },
  };
}

describe('watchers', () => {
  const server = useServer();
  const told = ({ eventType, session }: SessionLifecycleEvent) => `${eventType} ${session.sessionId}`;

  it('tell the life of each session once, a lost connection notwithstanding', async () => {
    const alice = server.as('alice-life');
    const proxy = await startProxy(server.address());
    const watched = server.as('alice-life', { address: proxy.address });
    const before = await started(alice);
    const events = collect((signal) => new SessionLifecycleWatcher(watched).changes(signal));
    await expect.poll(() => events.values.length).toBe(1);
    const during = await started(alice);
    await expect.poll(() => events.values.length).toBe(2);
    proxy.cut();
    const missed = await started(alice);
    await before.cancel();
    await during.suspend();
    proxy.mend();
    await expect.poll(() => events.values.length).toBe(5);
    await during.resume();
    await expect.poll(() => events.values.length).toBe(6);
    await events.stop();
    expect(events.values.map(told).slice(0, 2)).toEqual([
      `CREATED ${before.sessionId}`,
      `CREATED ${during.sessionId}`,
    ]);
    expect(new Set(events.values.map(told).slice(2, 5))).toEqual(
      new Set([
        `CREATED ${missed.sessionId}`,
        `CANCELLED ${before.sessionId}`,
        `SUSPENDED ${during.sessionId}`,
      ]),
    );
    expect(events.values.map(told)[5]).toBe(`RESUMED ${during.sessionId}`);
    expect(events.values.filter(isTerminalSessionLifecycleEvent)).toHaveLength(1);
    proxy.close();
  });

  it('tell the policies, in full, and the same list only once', async () => {
    const alice = server.as('alice');
    const proxy = await startProxy(server.address());
    const watcher = new PolicyWatcher(server.as('alice', { address: proxy.address }));
    const lists = collect((signal) => watcher.changes(signal));
    await expect.poll(() => lists.values.length).toBe(1);
    proxy.cut();
    proxy.mend();
    await expect.poll(() => proxy.connections()).toBeGreaterThan(1);
    await alice.registerPolicy(buildHandoffPolicy('policy.sdk.watch', ''));
    await expect.poll(() => lists.values.length).toBe(2);
    await lists.stop();
    const ids = lists.values.map(({ descriptors }) => descriptors.map(({ policyId }) => policyId));
    const builtIn = ids[0] ?? [];
    expect(ids).toEqual([builtIn, [...builtIn, 'policy.sdk.watch'].sort()]);
    proxy.close();
  });

  it('yield registry and root changes themselves, not wrapped', async () => {
    const alice = server.as('alice');
    const modes = await new ModeRegistryWatcher(alice).nextChange();
    expect(modes).toEqual({ registry: 'modes', observedAtUnixMs: expect.any(Number) });
    expect(await new RootsWatcher(alice).nextChange()).toEqual({ observedAtUnixMs: expect.any(Number) });
    expect((await new PolicyWatcher(alice).nextChange()).descriptors[0]?.policyId).toBe('policy.default');
  });

  it('bring signals and progress', async () => {
    const alice = server.as('alice');
    const heard = collect((signal) => new SignalWatcher(server.as('bob')).signals(signal));
    const say = async () => {
      await alice.sendSignal({ signalType: 'hello', data: Buffer.from('x'), confidence: 0.5 });
      return heard.values.length;
    };
    await expect.poll(say).toBeGreaterThan(0);
    await alice.sendProgress({ progressToken: 't', progress: 1, total: 2, message: 'half' });
    await expect.poll(() => heard.values.some(({ messageType }) => messageType === 'Progress')).toBe(true);
    await heard.stop();
    const [signal] = heard.values;
    expect(signal).toMatchObject({ messageType: 'Signal', sender: 'alice' });
    expect(parseMessage('Signal', signal?.payload ?? new Uint8Array())).toMatchObject({
      signalType: 'hello',
      confidence: 0.5,
    });
  });

  it('call a handler until their signal fires, and end quietly', async () => {
    const alice = server.as('alice-handler');
    await started(alice);
    const seen: string[] = [];
    const watching = new SessionLifecycleWatcher(alice).watch(
      ({ eventType }) => void seen.push(eventType),
      AbortSignal.timeout(200),
    );
    await watching;
    expect(seen).toEqual(['CREATED']);
    await expect(new RootsWatcher(alice).nextChange(AbortSignal.abort())).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});
