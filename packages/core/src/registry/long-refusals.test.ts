/** Whatever is wrong with a request, and however often: its refusal is short. */
import { describe, expect, it } from 'vitest';
import { testCodec as codec, ModeSession } from '../modes/mode-session.test.helper.js';
import { BUILT_IN_MODES } from '../modes/registry.js';
import { rulesFlaws } from '../modes/rules-flaws.js';
import { RulesRev } from '../policy/rules-rev.js';
import { policiesDecider } from './policies.js';

const MANY = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`x-a.${at}`, 1]));
const LONG = { [`k${'e'.repeat(50_000)}`]: 1 };
const SHORT = 6_000;

describe.each([...BUILT_IN_MODES.keys(), '*'])('a policy of %s', (mode) => {
  it.each([
    ['thousands of unknown keys', MANY],
    ['the same in each block', { voting: MANY, commitment: MANY, threshold: MANY, acceptance: MANY }],
    ['a key of 50 KB', LONG],
  ])('is refused in few words for %s', (_, rules) => {
    for (const rev of [RulesRev.First, RulesRev.Newest]) {
      const flaws = rulesFlaws({ mode, rules, schemaVersion: 3 }, rev);
      expect(flaws.length).toBeLessThanOrEqual(11);
      expect(flaws.join('; ').length).toBeLessThan(SHORT);
    }
    const policy = { policyId: 'p', mode, description: '', schemaVersion: 3, rules };
    const stamp = { at: 1, seq: 1, agent: 'admin' };
    const decision = policiesDecider.decide(undefined, { kind: 'register', policy }, stamp, {
      codec,
      consulted: {},
    });
    if (decision.kind === 'rejected') expect(decision.rejection.message.length).toBeLessThan(SHORT);
  });
});

it('what is left out is counted', () => {
  const flaws = rulesFlaws({ mode: 'macp.mode.task.v1', rules: MANY, schemaVersion: 3 }, RulesRev.Newest);
  expect(flaws).toHaveLength(10);
  expect(flaws[0]).toMatch(/^rules has "x-a\.0", an extension/);
  expect(flaws.at(-1)).toBe('rules has 2991 more keys that are not known');
});

it('rules that were recorded so deny in few words, too', () => {
  const session = new ModeSession({ mode: 'macp.mode.decision.v1', rules: MANY });
  session.say('a', 'Proposal', { proposalId: 'p', option: 'o' });
  expect(session.denied(true)).toHaveLength(10);
});
