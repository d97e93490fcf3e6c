import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.js';

describe('the bounded cache', () => {
  it('forgets what was used longest ago, by count', () => {
    const cache = new BoundedCache<number>({ items: 2, weight: 100 });
    cache.set('a', 1, 1);
    cache.set('b', 2, 1);
    cache.get('a');
    cache.set('c', 3, 1);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('forgets by weight, and weighs anew what has grown', () => {
    const cache = new BoundedCache<number>({ items: 10, weight: 10 });
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    cache.set('b', 2, 7);
    expect([cache.get('a'), cache.get('b'), cache.weight]).toEqual([undefined, 2, 7]);
  });

  it('does not keep what weighs more than everything may', () => {
    const cache = new BoundedCache<number>({ items: 10, weight: 10 });
    cache.set('a', 1, 4);
    cache.set('b', 2, 11);
    cache.set('a', 1, 11);
    expect([cache.get('a'), cache.get('b'), cache.weight]).toEqual([undefined, undefined, 0]);
  });
});
