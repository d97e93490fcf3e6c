import { expect, it } from 'vitest';
import { backOffMs } from './back-off.js';

it('assistants:6.7 waits 1, 2, 4, 8 and then 15 seconds, a fifth more or less', () => {
  const waits = (random: number) => [1, 2, 3, 4, 5, 6, 100].map((failed) => backOffMs(failed, random));
  expect(waits(0.5)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(waits(0)).toEqual([800, 1_600, 3_200, 6_400, 12_000, 12_000, 12_000]);
  expect(waits(1)).toEqual([1_200, 2_400, 4_800, 9_600, 18_000, 18_000, 18_000]);
});
