import { describe, expect, it } from 'vitest';
import { OneForEach } from './one-for-each.js';

describe('one answer at a time for each caller', () => {
  it('begins the next when the one before is made, failed or not, and keeps no other caller waiting', async () => {
    const answers = new OneForEach();
    const events: string[] = [];
    const ends: (() => void)[] = [];
    const make = (name: string) => async () => {
      events.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === 'a1') throw new Error(name);
      return name;
    };
    const [first, second, other] = [
      answers.run('a', make('a1')),
      answers.run('a', make('a2')),
      answers.run('b', make('b1')),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(['a1', 'b1']);
    for (const end of ends.splice(0)) end();
    await expect(first).rejects.toThrow('a1');
    expect(await other).toBe('b1');
    await expect.poll(() => events).toEqual(['a1', 'b1', 'a2']);
    ends[0]?.();
    expect(await second).toBe('a2');
  });
});
