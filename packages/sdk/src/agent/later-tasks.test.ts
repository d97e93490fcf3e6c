import { afterEach, expect, it, vi } from 'vitest';
import { LaterTasks } from './later-tasks.js';

afterEach(() => vi.useRealTimers());

it('leaves no timer, and does nothing, once it has ended', async () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const tasks = new LaterTasks((error) => done.push(String(error)));
  const task = (name: string) => async () => void done.push(name);
  tasks.add(10, task('first'));
  tasks.add(10, task('taken back'))();
  tasks.add(60_000, task('never'));
  await vi.advanceTimersByTimeAsync(20);
  await tasks.end();
  tasks.add(1, task('too late'));
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(done).toEqual(['first']);
});
