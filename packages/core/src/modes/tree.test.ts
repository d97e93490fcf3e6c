import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Branch, treeEntries, treeGet, treeSet } from './tree.js';

const height = (tree: Branch<unknown>): number =>
  tree ? 1 + Math.max(height(tree.left), height(tree.right)) : 0;

describe('a tree', () => {
  it('holds what a Map would hold, in order, and leaves earlier trees as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat())), (pairs) => {
        let tree: Branch<number>;
        const map = new Map<string, number>();
        for (const [key, value] of pairs) {
          const before = [...treeEntries(tree)];
          const next = treeSet(tree, key, value);
          expect([...treeEntries(tree)]).toEqual(before);
          tree = next;
          map.set(key, value);
        }
        expect([...treeEntries(tree)]).toEqual([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
        for (const [key, value] of map) expect(treeGet(tree, key)).toBe(value);
        expect(treeGet(tree, 'not there')).toBeUndefined();
      }),
    );
  });

  it('stays low when keys come in order', () => {
    let tree: Branch<number>;
    for (let n = 0; n < 10_000; n++) tree = treeSet(tree, String(n).padStart(5, '0'), n);
    expect(height(tree)).toBeLessThan(30);
  });
});
