/** What a stream delivers while others write, when the reader is slow, and after it leaves. */
import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idOf } from '../../../../../../test/kit/grpc-stream.js';
import { context, newSession, offer, sessionStart } from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

let world: World;
let id: string;
beforeEach(async () => {
  world = await startWorld();
  id = newSession();
  await world.client('alice').send(sessionStart(id));
  await world.client('alice').send(offer(id));
});
afterEach(() => world.close());

const contexts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `c${from + n}`);

describe('without gap or repeat', () => {
  it('while others write, through many subscriptions that begin and end anywhere', async () => {
    const writer = (async () => {
      const alice = world.client('alice');
      for (let n = 1; n <= 600; n += 6)
        await Promise.all(contexts(n, n + 5).map((messageId) => alice.send(context(id, messageId))));
    })();
    const expected: string[] = [];
    const follow = async () => {
      const seen: string[] = [];
      while (seen.length < 602) {
        const stream = world.client('bob').stream().subscribe(id, seen.length);
        const wanted = Math.min(602 - seen.length, 1 + Math.floor(Math.random() * 150));
        while (stream.frames.length < wanted) await stream.next();
        stream.cancel();
        seen.push(...stream.frames.map(idOf));
      }
      return seen;
    };
    const all = await Promise.all([follow(), follow(), follow()]);
    await writer;
    const whole = world.client('bob').stream().subscribe(id).halfClose();
    await whole.status;
    expected.push(...whole.frames.map(idOf));
    expect(new Set(expected).size).toBe(602);
    for (const seen of all) expect(seen).toEqual(expected);
  });

  it('for a sender whose stream begins while others write', async () => {
    const alice = world.client('alice');
    const before = Promise.all(contexts(1, 50).map((messageId) => alice.send(context(id, messageId))));
    const stream = world.client('alice').stream();
    for (const messageId of contexts(51, 80)) stream.send(context(id, messageId));
    await before;
    stream.halfClose();
    await stream.status;
    const whole = world.client('bob').stream().subscribe(id).halfClose();
    await whole.status;
    const seen = stream.frames.map(idOf);
    expect(seen).toEqual(whole.frames.map(idOf).slice(-seen.length));
    expect(seen.filter((messageId) => Number(messageId.slice(1)) > 50)).toEqual(contexts(51, 80));
  });
});

describe('a slow reader', () => {
  it('is cut off with the ordinal to go on from, which leaves no gap, and holds little memory', async () => {
    const stream = world.client('bob').stream();
    await stream.opened;
    stream.pause();
    stream.subscribe(id);
    const alice = world.client('alice');
    const ids = contexts(1, 60);
    for (const messageId of ids) await alice.send(context(id, messageId, 100_000));
    await expect.poll(() => world.deps.engine.subscribers).toBe(0);
    stream.resume();
    const { code, details } = await stream.status;
    expect(code).toBe(status.RESOURCE_EXHAUSTED);
    const after = Number(/after_sequence=(\d+)/.exec(details)?.[1]);
    expect(after).toBe(stream.frames.length);
    expect(after).toBeLessThan(40);

    const again = world.client('bob').stream().subscribe(id, after).halfClose();
    await again.status;
    const seen = [...stream.frames, ...again.frames].map(idOf);
    expect(seen).toEqual(['start', 'offer-h1', ...ids]);
  });

  it('that reads on is not cut off, however long the history', async () => {
    const alice = world.client('alice');
    const ids = contexts(1, 80);
    await Promise.all(ids.map((messageId) => alice.send(context(id, messageId, 60_000))));
    const stream = world.client('bob').stream().subscribe(id);
    for (let n = 0; n < 8; n++) {
      stream.pause();
      await new Promise((resolve) => setTimeout(resolve, 5));
      stream.resume();
      await stream.take(10);
    }
    await stream.take(2);
    expect(stream.frames.map(idOf).slice(2).sort()).toEqual([...ids].sort());
  });
});

describe('leaving', () => {
  it('frees the subscription at once when the call is cancelled or the connection is lost', async () => {
    const streams = Array.from({ length: 5 }, () => world.client('bob').stream().subscribe(id));
    const lost = world.client('bob');
    const orphan = lost.stream().subscribe(id);
    await Promise.all([...streams, orphan].map((stream) => stream.ids(2)));
    expect(world.deps.engine.subscribers).toBe(6);
    for (const stream of streams) stream.cancel();
    orphan.cancel();
    lost.close();
    await expect.poll(() => [world.deps.engine.subscribers, world.door.liveCalls]).toEqual([0, 0]);
  });

  it('ends streams with UNAVAILABLE when the door closes, after what was accepted', async () => {
    const stream = world.client('bob').stream().subscribe(id);
    await stream.ids(2);
    await world.client('alice').send(context(id, 'c1'));
    const closing = world.door.close();
    expect((await stream.status).code).toBe(status.UNAVAILABLE);
    expect(stream.frames.map(idOf)).toEqual(['start', 'offer-h1', 'c1']);
    await closing;
    expect(world.deps.engine.subscribers).toBe(0);
  });

  it('ends streams with UNAVAILABLE when the engine closes first', async () => {
    const stream = world.client('bob').stream().subscribe(id);
    await stream.ids(2);
    await world.deps.engine.close();
    expect((await stream.status).code).toBe(status.UNAVAILABLE);
  });
});
