import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './env.js';
import { Queue, Queued } from './queue.js';

it('keeps the order of arrival, also of what was loaded meanwhile; clocks that jump change nothing', () => {
  const queue = new Queue(DEFAULT_LIMITS);
  const item = (order: number, at = 0) =>
    new Queued(
      { agent: String(order), steps: [], bytes: 1 },
      { order, at },
      [],
      () => {},
      () => {},
    );
  for (const [order, at] of [
    [3, 900],
    [4, 100],
    [1, 500],
    [0, 700],
    [5, 50],
    [2, 600],
  ])
    queue.push(item(order ?? 0, at));
  expect(queue.takeAll().map(({ submission }) => submission.agent)).toEqual(['0', '1', '2', '3', '4', '5']);
});
