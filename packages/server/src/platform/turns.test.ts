import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

describe('turns', () => {
  it('go round the owners, and within an owner in order of arrival', () => {
    const turns = new Turns<string>();
    for (let i = 0; i < 1_000; i += 1) turns.add('many', `many-${i}`);
    turns.add('one', 'one-0');
    turns.add('two', 'two-0');
    turns.add('two', 'two-1');
    const taken = Array.from({ length: 6 }, () => turns.take());
    expect(taken).toEqual(['many-0', 'one-0', 'two-0', 'many-1', 'two-1', 'many-2']);
    expect(turns.size).toBe(1_003 - 6);
  });

  it('hold a thing once, and forget what is taken back', () => {
    const turns = new Turns<string>();
    turns.add('a', 'x');
    turns.add('a', 'x');
    turns.add('b', 'y');
    expect(turns.size).toBe(2);
    turns.delete('a', 'x');
    turns.delete('a', 'x');
    turns.delete('c', 'z');
    expect([turns.size, turns.take(), turns.take(), turns.size]).toEqual([1, 'y', undefined, 0]);
  });
});
