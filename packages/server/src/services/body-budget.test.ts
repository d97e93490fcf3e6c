import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';

const LIMITS = { inAll: 100, ofCaller: 60, ofStrangers: 30 };

describe('the budget for bodies', () => {
  it('holds in all, for a caller, and for all strangers together', () => {
    const budget = new BodyBudget(LIMITS);
    const [alice, again, bob] = [budget.open('alice'), budget.open('alice'), budget.open('bob')];
    const [stranger, another] = [budget.open(), budget.open()];
    expect([alice.take(40), again.take(21), again.take(20)]).toEqual([true, false, true]);
    expect([stranger.take(20), another.take(11), another.take(10)]).toEqual([true, false, true]);
    expect([bob.take(11), bob.take(10)]).toEqual([false, true]);
    expect([budget.inAll, budget.most]).toEqual([100, 100]);
  });

  it('gets back what a request held, once', () => {
    const budget = new BodyBudget(LIMITS);
    const share = budget.open('alice');
    share.take(60);
    share.release();
    share.release();
    expect([budget.inAll, budget.open('alice').take(60), budget.most]).toEqual([0, true, 60]);
  });
});
