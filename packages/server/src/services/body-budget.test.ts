import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';

const LIMITS = { inAll: 100, ofCaller: 60, ofStrangers: 30, ofAddress: 20 };
const ALICE = { caller: 'alice' };
const at = (n: number) => ({ address: `198.51.100.${n}` });

describe('the budget for bodies', () => {
  it('holds in all, for a caller, for an address of strangers, and for all strangers together', () => {
    const budget = new BodyBudget(LIMITS);
    const [alice, again, bob] = [budget.open(ALICE), budget.open(ALICE), budget.open({ caller: 'bob' })];
    const [one, same, other] = [budget.open(at(1)), budget.open(at(1)), budget.open(at(2))];
    expect([alice.take(40), again.take(21), again.take(20)]).toEqual([true, false, true]);
    expect([one.take(21), one.take(20)]).toEqual([false, true]);
    for (const share of [one, same, other]) share.arrived();
    expect([same.take(1), other.take(11), other.take(10)]).toEqual([false, false, true]);
    expect([bob.take(11), bob.take(10)]).toEqual([false, true]);
    expect([budget.inAll, budget.most]).toEqual([100, 100]);
  });

  it('gets back what a request held, once', () => {
    const budget = new BodyBudget(LIMITS);
    const share = budget.open(ALICE);
    share.take(60);
    share.release();
    share.release();
    expect([budget.inAll, budget.open(ALICE).take(60), budget.most]).toEqual([0, true, 60]);
  });

  it('gives up the oldest body that still arrives: of the address, or of all strangers', () => {
    const budget = new BodyBudget(LIMITS);
    const given: string[] = [];
    const open = (name: string, n: number) => {
      const share = budget.open(at(n));
      share.onGivenUp = () => given.push(name);
      return share;
    };
    const [far, old, there, young] = [open('far', 2), open('old', 1), open('there', 1), open('young', 1)];
    expect([far.take(5), there.take(5), there.arrived(), old.take(10)]).toEqual([
      true,
      true,
      undefined,
      true,
    ]);
    expect(young.take(15)).toBe(true);
    expect([given, old.take(1), budget.inAll]).toEqual([['old'], false, 25]);
    expect(open('third', 3).take(10)).toBe(true);
    expect(given).toEqual(['old', 'far']);
    old.release();
    expect(budget.inAll).toBe(30);
  });
});
