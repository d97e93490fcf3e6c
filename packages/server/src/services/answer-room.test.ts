import { describe, expect, it } from 'vitest';
import { AnswerRoom } from './answer-room.js';

function roomOf(limit: number) {
  const room = new AnswerRoom(limit);
  const begun: string[] = [];
  const ask = (caller: string, bytes: number) => {
    const name = `${caller}${bytes}`;
    const place = room.open(caller, 100, bytes, () => begun.push(name));
    place.enter();
    return place;
  };
  return { room, begun, ask };
}

describe('room for answers', () => {
  it('is shared by the calls of a caller, and one of any size may begin', () => {
    const { room, begun, ask } = roomOf(1_000);
    const large = ask('a', 500);
    const small = ask('a', 10);
    ask('b', 20);
    expect(begun).toEqual(['a500', 'b20']);
    large.answered(95);
    expect(begun).toEqual(['a500', 'b20']);
    large.answered(90);
    expect(begun).toEqual(['a500', 'b20', 'a10']);
    expect(room.held).toBe(120);
    small.leave();
    small.leave();
    large.leave();
    expect(room.held).toBe(20);
  });

  it('is bounded in all, and callers take turns for it', () => {
    const { room, begun, ask } = roomOf(100);
    const first = ask('a', 60);
    const second = ask('b', 60);
    const waiting = [ask('c', 30), ask('c', 31), ask('d', 30)];
    expect(begun).toEqual(['a60', 'b60']);
    expect(room.crowded).toBe(true);
    first.leave();
    expect(begun).toEqual(['a60', 'b60', 'c30', 'd30']);
    second.leave();
    expect(begun).toEqual(['a60', 'b60', 'c30', 'd30', 'c31']);
    expect(room.crowded).toBe(false);
    for (const place of waiting) place.leave();
    expect(room.held).toBe(0);
  });

  it('is not kept by a call that leaves before it begins', () => {
    const { room, begun, ask } = roomOf(100);
    const first = ask('a', 100);
    const behindOwn = ask('a', 100);
    const behindAll = ask('b', 50);
    behindOwn.leave();
    behindAll.leave();
    first.leave();
    expect(begun).toEqual(['a100']);
    expect(room.held).toBe(0);
  });
});
