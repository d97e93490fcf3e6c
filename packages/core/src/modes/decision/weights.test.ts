/** Votes of enormous weight: 1e308 and 1e308 are Infinity, of which no share can be said. */
import { expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import { policiesDecider } from '../../registry/policies.js';
import { testCodec as codec, ModeSession } from '../mode-session.test.helper.js';

const rulesOf = (weight: number) => ({ voting: { algorithm: 'weighted', weights: { owner: weight, a: 1 } } });
const MODE = 'macp.mode.decision.v1';

it.each([MODE, '*'])(
  `${verifies('macp-2026:6.3:weights')}are refused at the registration of a policy of %s, and replayed where they are recorded`,
  (mode) => {
    const decide = (weight: number, rev?: 2) => {
      const policy = { policyId: 'p', mode, description: '', schemaVersion: 3, rules: rulesOf(weight) };
      const command = { kind: 'register', policy, ...(rev && { rev }) } as const;
      return policiesDecider.decide(
        undefined,
        command,
        { at: 1, seq: 1, agent: 'admin' },
        { codec, consulted: {} },
      );
    };
    expect(decide(1e15).kind).toBe('accepted');
    for (const weight of [1.1e15, 1e308])
      expect(decide(weight)).toMatchObject({
        kind: 'rejected',
        rejection: { code: 'INVALID_POLICY_DEFINITION', message: expect.stringContaining('voting.weights') },
      });
    expect(decide(1e308, 2).kind).toBe('accepted');
  },
);

it('begin no session under a policy that was registered with them before', () => {
  expect(new ModeSession({ mode: MODE, rules: rulesOf(1e308) }).started).toBe('INVALID_POLICY_DEFINITION');
  expect(new ModeSession({ mode: MODE, rules: rulesOf(1e15) }).started).toBe('ok');
});
