import type { HandoverError } from '@handover/core';
import { describe, expect, it } from 'vitest';
import type { Listener } from './listener.js';
import { Mailroom } from './mailroom.js';

/** A listener that only counts what it takes up, and with which code it was cut. */
function fakeListener() {
  const listener = {
    bytes: 0,
    cuts: [] as string[],
    acquire: async (bytes: number) => listener.hold(bytes),
    hold: (bytes: number) => {
      listener.bytes += bytes;
    },
    release: (bytes: number) => {
      listener.bytes -= bytes;
    },
    cut: ({ code }: HandoverError) => void listener.cuts.push(code),
    behind: () => {},
    leave: () => {},
  };
  return listener satisfies Listener;
}

function setUp(limits = { perListener: 1_000, inAll: 10_000 }) {
  const room = new Mailroom(limits);
  const open = () => {
    const listener = fakeListener();
    return { listener, box: room.open<string>(listener) };
  };
  return { room, open };
}

describe('the mailroom', () => {
  it('holds an item once, however many get it, until the last has taken it', async () => {
    const { room, open } = setUp();
    const [one, two] = [open(), open()];
    room.send('news', 100, [one.box, two.box]);
    expect(room.bytes).toBe(100);
    const first = one.box.items();
    expect((await first.next()).value).toBe('news');
    expect([room.bytes, one.listener.bytes]).toEqual([100, 100]);
    expect((await two.box.items().next()).value).toBe('news');
    expect(room.bytes).toBe(0);
    one.box.close();
    await first.next();
    expect(one.listener.bytes).toBe(0);
  });

  it('cuts a listener off whose mailbox is full, and forgets what waited there', async () => {
    const { room, open } = setUp();
    const { box, listener } = open();
    for (let n = 0; n < 10; n++) room.send(`n${n}`, 100, [box]);
    expect(listener.cuts).toEqual([]);
    room.send('one too many', 100, [box]);
    expect([listener.cuts, room.bytes]).toEqual([['STREAM_LAGGED'], 0]);
    await expect(box.items().next()).rejects.toMatchObject({ code: 'STREAM_LAGGED' });
    room.send('later', 100, [box]);
    expect(room.bytes).toBe(0);
  });

  it('counts what waits on the connection, too, and gives one item of any size to a listener that has nothing', () => {
    const { room, open } = setUp();
    const [busy, idle] = [open(), open()];
    busy.listener.hold(950);
    room.send('small', 100, [busy.box]);
    expect(busy.listener.cuts).toEqual(['STREAM_LAGGED']);
    room.send('large', 5_000, [idle.box]);
    expect([idle.listener.cuts, room.bytes]).toEqual([[], 5_000]);
  });

  it('is bounded in all: the fullest mailboxes go first', () => {
    const { room, open } = setUp({ perListener: 1_000, inAll: 2_500 });
    const boxes = [open(), open(), open()];
    for (const [index, { box }] of boxes.entries()) room.send('x', 600 + index * 100, [box]);
    room.send('more', 300, [boxes[0]?.box ?? open().box]);
    expect(room.bytes).toBe(2_400);
    room.send('more', 150, [boxes[1]?.box ?? open().box]);
    expect(boxes.map(({ listener }) => listener.cuts.length)).toEqual([1, 0, 0]);
    expect(room.bytes).toBeLessThanOrEqual(2_500);
  });

  it('ends the items of a mailbox that is closed, also while somebody waits for one', async () => {
    const { open } = setUp();
    const { box } = open();
    const waiting = box.items().next();
    box.close();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });
});
