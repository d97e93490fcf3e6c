import { expect, it } from 'vitest';
import { Allowances } from './allowances.js';

const ticks = (allowances: Allowances, count: number) => {
  for (let n = 0; n < count; n++) allowances.tick();
};

it('is in debt when all is spent, and out of it with time', () => {
  const allowances = new Allowances({ most: 100, perTick: 10 });
  allowances.spend('a', 99);
  expect(allowances.inDebt('a')).toBe(false);
  allowances.spend('a', 21);
  expect(allowances.inDebt('a')).toBe(true);
  ticks(allowances, 2);
  expect(allowances.inDebt('a')).toBe(true);
  ticks(allowances, 1);
  expect(allowances.inDebt('a')).toBe(false);
  expect(allowances.inDebt('b')).toBe(false);
});

it('bounds the debt, so that it is paid in the time in which the allowance comes back', () => {
  const allowances = new Allowances({ most: 100, perTick: 10 });
  for (let n = 0; n < 1_000; n++) allowances.spend('a', 1_000);
  ticks(allowances, 10);
  expect(allowances.inDebt('a')).toBe(true);
  ticks(allowances, 1);
  expect(allowances.inDebt('a')).toBe(false);
});

it('forgets who has given everything back', () => {
  const allowances = new Allowances({ most: 100, perTick: 10 });
  allowances.spend('a', 50);
  allowances.spend('b', 50);
  allowances.spend('a', -50);
  expect(allowances.size).toBe(1);
  ticks(allowances, 5);
  allowances.forgetPaid();
  expect(allowances.size).toBe(0);
});
