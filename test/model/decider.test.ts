import { describe, expect, it } from 'vitest';
import { RULE_SETS } from './explore.js';
import { type PolicyRules, stateKey } from './handoff-model.js';
import { askHandoffDecider } from './handoff-search.js';

/** Compares every verdict and every resulting state; returns the disagreements, those with the shortest path first. */
function compare(rules: PolicyRules): {
  readonly disagreements: readonly string[];
  readonly compared: number;
} {
  const disagreements: string[] = [];
  let compared = 0;
  askHandoffDecider(rules, ({ path, state, message, verdict, answer, key }) => {
    compared += 1;
    const expected = verdict.accept ? 'ok' : verdict.codeClass;
    const next = stateKey(verdict.accept ? verdict.state : state);
    if (answer.code === expected && key === next) return;
    const where = [...path, message].map((each) => JSON.stringify(each)).join(' ');
    disagreements.push(`model ${expected} ${next}, decider ${answer.code} ${key}: ${where}`);
  });
  return { disagreements, compared };
}

describe('model and decider', () => {
  it.each(RULE_SETS)('agree on every message in every state, with %s', (_, rules) => {
    const { disagreements, compared } = compare(rules);
    expect(disagreements.slice(0, 10)).toEqual([]);
    expect(compared).toBeGreaterThan(100_000);
  });
});
