/** Each designated sender is written into the lists of every session that a policy governs: a bound on what one message costs. */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { testCodec as codec, ModeSession } from '../modes/mode-session.test.helper.js';
import { policiesDecider } from '../registry/policies.js';

const DECISION = 'macp.mode.decision.v1';
const rulesOf = (count: number) => ({
  commitment: {
    authority: 'designated_role',
    designated_roles: Array.from({ length: count }, (_, n) => `s${n}`),
  },
});

describe('a policy that designates more than 100 senders', () => {
  it.each([DECISION, 'macp.mode.handoff.v1', '*', 'ext.of-somebody'])(
    `${verifies('macp-2026:6.3:roles')}for %s is refused at its registration, and replayed where it is recorded`,
    (mode) => {
      const decide = (count: number, rev?: 2) => {
        const policy = { policyId: 'p', mode, description: '', schemaVersion: 3, rules: rulesOf(count) };
        const command = { kind: 'register', policy, ...(rev && { rev }) } as const;
        const stamp = { at: 1, seq: 1, agent: 'admin' };
        return policiesDecider.decide(undefined, command, stamp, { codec, consulted: {} });
      };
      expect(decide(100).kind).toBe('accepted');
      expect(decide(101)).toMatchObject({
        rejection: {
          code: 'INVALID_POLICY_DEFINITION',
          message: expect.stringContaining('designated_roles has 101 senders; at most 100 are taken'),
        },
      });
      expect(decide(101, 2).kind).toBe('accepted');
    },
  );

  it('begins no session, when it was registered before', () => {
    const started = (count: number) => new ModeSession({ mode: DECISION, rules: rulesOf(count) }).started;
    expect([started(101), started(100)]).toEqual(['INVALID_POLICY_DEFINITION', 'ok']);
  });
});
