import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Slices } from './slices.js';

describe('slices', () => {
  it('begin at once what comes alone, and a burst in the turns after it', async () => {
    const slices = new Slices(3);
    const begun: number[] = [];
    for (let n = 0; n < 8; n++)
      slices.begin(
        () => 'one',
        1,
        () => begun.push(n),
      );
    expect(begun).toEqual([0, 1, 2]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    slices.begin(
      () => 'one',
      1,
      () => begun.push(8),
    );
    expect(begun).toHaveLength(9);
  });

  it('let owners take turns, and hold as much as their weights say', async () => {
    const slices = new Slices(2);
    const begun: string[] = [];
    const begin = (owner: string, name: string, weight = 1) =>
      slices.begin(
        () => owner,
        weight,
        () => begun.push(name),
      );
    begin('many', 'heavy', 2);
    for (const name of ['a', 'b', 'c']) begin('many', name);
    begin('few', 'x');
    expect(begun).toEqual(['heavy']);
    await nextTurn();
    expect(begun).toEqual(['heavy', 'a', 'x']);
    await nextTurn();
    expect(begun).toEqual(['heavy', 'a', 'x', 'b', 'c']);
  });
});
