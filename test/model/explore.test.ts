import { describe, expect, it } from 'vitest';
import { explore, RULE_SETS } from './explore.js';
import { type Message, type State, stateKey, type Verdict } from './handoff-model.js';

/** What must hold in every state that anybody can reach, whatever the rules of the model say in detail. */
function violations(state: State): readonly string[] {
  const by = (answer: string) => state.offers.filter((offer) => offer.answer === answer);
  const last = state.offers.at(-1);
  const decliners = by('declined').map((offer) => offer.target);
  return [
    ...(by('pending').length > 1 ? ['two offers outstanding'] : []),
    ...(by('accepted').length > 1 ? ['two offers accepted'] : []),
    ...(by('accepted').length === 1 && last?.answer !== 'accepted' ? ['an offer after an accept'] : []),
    ...(new Set(decliners).size < decliners.length ? ['a decliner was asked again'] : []),
    ...(state.offers.some((offer) => offer.target === state.owner) ? ['offered to oneself'] : []),
    ...(state.phase === 'Resolved' && by('pending').length > 0 ? ['resolved while pending'] : []),
    ...((state.outcome === 'positive') !== (state.phase === 'Resolved' && by('accepted').length === 1)
      ? ['outcome against history']
      : []),
  ];
}

const TERMINAL = ['Resolved', 'Expired', 'Cancelled'];

function check(path: readonly Message[], state: State, message: Message, verdict: Verdict): void {
  const where = () => JSON.stringify([...path, message]);
  const found = violations(state);
  if (found.length > 0) throw new Error(`${found.join(', ')} after ${where()}`);
  if (verdict.accept && TERMINAL.includes(state.phase) && stateKey(verdict.state) !== stateKey(state)) {
    throw new Error(`a terminal state changed: ${where()}`);
  }
}

describe('every reachable state', () => {
  it.each(RULE_SETS)('with %s keeps the invariants', (_, rules) => {
    const explored = explore(rules, check);
    expect(explored.states).toBeGreaterThan(100);
    expect(explored.verdicts).toBeGreaterThan(10_000);
    expect(explored.longestPath).toBeGreaterThanOrEqual(7);
  });
});
