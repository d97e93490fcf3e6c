import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import type { JsonObject } from '../log/json.js';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { SHOWN_DEFAULT_POLICY } from '../policy/descriptor.js';
import { RejectionCode } from '../rejection.js';
import {
  fileFlaw,
  findPolicy,
  listPolicies,
  type NewPolicy,
  type PoliciesState,
  policiesDecider,
  shownPolicy,
} from './policies.js';
import { logOf, verified } from './recorded-registry.test.helper.js';

const DECISION = 'macp.mode.decision.v1';
const HANDOFF = 'macp.mode.handoff.v1';
const context = { codec, consulted: {} };

const policyOf = (mode: string, rules: JsonObject, more: Partial<NewPolicy> = {}): NewPolicy => ({
  policyId: 'p',
  mode,
  description: '',
  schemaVersion: 3,
  rules,
  ...more,
});
const register = (policy: NewPolicy, state?: PoliciesState) =>
  policiesDecider.decide(state, { kind: 'register', policy }, { at: 1, seq: 1, agent: 'admin' }, context);
const refusal = (policy: NewPolicy, state?: PoliciesState) => {
  const decision = register(policy, state);
  return decision.kind === 'rejected' ? decision.rejection : undefined;
};
const flaw = (mode: string, rules: JsonObject, more: Partial<NewPolicy> = {}) =>
  refusal(policyOf(mode, rules, more))?.message;

describe('a registered policy', () => {
  it.each([
    [HANDOFF, {}],
    ['macp.mode.task.v1', { assignment: { allow_reassignment_on_reject: true } }],
    [DECISION, { voting: { algorithm: 'plurality' } }],
    // Younger than version 1, and yet the builders of other vendors write both under every version.
    [DECISION, { objection_handling: { critical_objection_action: 'deny' } }],
    ['*', { commitment: { allow_decline_over_approval: false } }],
  ])(
    `${verifies('macp-2026:6.4:every-mode')}macp-2026:6.1 of %s may have schema_version 1, 2 or 3`,
    (mode, rules) => {
      for (const schemaVersion of [1, 2, 3]) expect(flaw(mode, rules, { schemaVersion })).toBeUndefined();
      expect(flaw(mode, rules, { schemaVersion: 4 })).toContain('schema_version');
    },
  );

  it.each([
    [HANDOFF, { acceptance: {} }],
    [DECISION, { voting: { quorum: {} } }],
    ['macp.mode.proposal.v1', { rejection: {} }],
    ['macp.mode.task.v1', { completion: {} }],
    ['macp.mode.quorum.v1', { abstention: {} }],
    ['*', { voting: { quorum: {} }, 'x-handover.rules': { audit: {} } }],
  ])(
    `${verifies('macp-2026:6.2:closed')}macp-2026:6.2 of %s may have notes at every level, and no other key that is not known`,
    (mode, rules) => {
      const everywhere = (value: JsonObject, key: string): JsonObject => ({
        ...Object.fromEntries(
          Object.entries(value).map(([name, below]) => [name, everywhere(below as JsonObject, key)]),
        ),
        [key]: 1,
      });
      expect(flaw(mode, everywhere(rules, '_why'))).toBeUndefined();
      expect(flaw(mode, everywhere(rules, '$why'))).toBeUndefined();
      expect(flaw(mode, everywhere(rules, 'why'))).toContain('unknown key "why"');
      const kept = register(policyOf(mode, { ...rules, _why: 'because' }));
      expect(kept).toMatchObject({ drafts: [{ facts: { rules: { _why: 'because' } } }] });
    },
  );

  it('macp-2026:6.2 may have the vendor key of this server for Handoff and for every mode, and no other', () => {
    const own = { 'x-handover.rules': { allow_no_target: true } };
    expect([HANDOFF, '*'].map((mode) => flaw(mode, own))).toEqual([undefined, undefined]);
    for (const mode of [DECISION, 'macp.mode.task.v1', 'macp.mode.quorum.v1', 'macp.mode.proposal.v1'])
      expect(flaw(mode, own)).toContain('"x-handover.rules", an extension that is not known here');
    expect(flaw(HANDOFF, { 'x-acme.rules': {} })).toContain('"x-acme.rules", an extension');
    expect(flaw(HANDOFF, { commitment: { 'x-handover.rules': {} } })).toContain('"x-handover.rules"');
    expect(flaw(HANDOFF, { 'x-handover.rules': 1 })).toContain('must be an object');
  });

  it('macp-2026:6.2 for every mode may use the keys of all, and must be right for each', () => {
    const all = {
      threshold: { value: 2 },
      voting: { algorithm: 'majority' },
      acceptance: { criterion: 'initiator' },
    };
    expect(flaw('*', all)).toBeUndefined();
    expect(flaw('*', { ...all, threshold: { value: 0 } })).toContain('threshold.value');
    expect(flaw('*', { ...all, unknown: 1 })).toContain('unknown key');
  });

  it.each([
    [0.5, 150],
    [0.999, 100.5],
  ])(
    `${verifies('macp-2026:6.3:meant')}of Decision Mode counts a quorum by percentage in percent: not %d, nor %d`,
    (fraction, tooMuch) => {
      const quorum = (type: string, value: number) => ({ voting: { quorum: { type, value } } });
      for (const mode of [DECISION, '*'])
        for (const value of [fraction, tooMuch])
          expect(flaw(mode, quorum('percentage', value))).toContain('50 means 50 percent');
      for (const value of [0, 1, 50, 66.6, 100])
        expect(flaw(DECISION, quorum('percentage', value))).toBeUndefined();
      // Votes are counted by default, and there may be any number.
      expect(flaw(DECISION, { voting: { quorum: { value: 150 } } })).toBeUndefined();
    },
  );

  it(`${verifies('macp-2026:6.3:quorum')}of Quorum Mode may leave the number to the request, whatever its type`, () => {
    const QUORUM = 'macp.mode.quorum.v1';
    for (const threshold of [{ type: 'percentage' }, { type: 'n_of_m' }, {}])
      expect(flaw(QUORUM, { threshold })).toBeUndefined();
  });

  it('takes rules that have no effect alone: builders of other vendors write every default', () => {
    const idle = {
      voting: { algorithm: 'majority', quorum: { value: 2 }, weights: { a: 1 } },
      objection_handling: { veto_threshold: 2 },
      evaluation: { minimum_confidence: 0.5 },
      commitment: { designated_roles: ['a'] },
    };
    expect(flaw(DECISION, idle)).toBeUndefined();
    expect(flaw(DECISION, { commitment: { require_vote_quorum: true } })).toBeUndefined();
  });

  it.each(['macp.mode.decison.v1', 'macp.mode.decision.v2', 'macp.mode.auction.v1'])(
    `${verifies('macp-2026:6.2:reserved-modes')}for %s is refused: its rules would be read by nobody`,
    (mode) => {
      const refused = flaw(mode, { voting: { treshold: 1 } });
      expect(refused).toBe(
        `mode ${mode} is not served here (known: macp.mode.decision.v1, macp.mode.proposal.v1, macp.mode.task.v1, macp.mode.handoff.v1, macp.mode.quorum.v1)`,
      );
    },
  );

  it(`${verifies('macp-2026:6.2:free')}macp-2026:6.2 of an extension mode may say anything`, () => {
    expect(flaw('ext.own.v1', { commitment: 'whoever', anything: { 'x-acme.rules': 1 } })).toBeUndefined();
    expect(flaw('ext.multi_round.v1', { commitment: { rounds: 3 } })).toBeUndefined();
  });
});

describe('policies that are built in', () => {
  const majority = {
    voting: { algorithm: 'majority', quorum: { type: 'count', value: 1 } },
    commitment: { require_vote_quorum: true },
  };
  const std = (name: string, rules: JsonObject, more: Partial<NewPolicy> = {}) =>
    refusal(policyOf(DECISION, rules, { policyId: `policy.std.${name}`, schemaVersion: 1, ...more }));

  it('macp-2026:6.5 policy.default is frozen without rules, and shown with what that means', () => {
    expect(findPolicy(undefined, 'policy.default')?.rules).toEqual({});
    expect(shownPolicy(undefined, 'policy.default')).toBe(SHOWN_DEFAULT_POLICY);
    expect(flaw('*', SHOWN_DEFAULT_POLICY.rules, { schemaVersion: 1 })).toBeUndefined();
    const { policyId } = SHOWN_DEFAULT_POLICY;
    expect(flaw('*', {}, { policyId })).toContain('reserved');
  });

  it('macp-2026:6.5 under policy.std. there are three profiles, and nothing else', () => {
    expect(listPolicies(undefined, DECISION).map(({ policyId }) => policyId)).toEqual([
      'policy.default',
      'policy.std.majority',
      'policy.std.supermajority',
      'policy.std.unanimous',
    ]);
    for (const { mode, rules, schemaVersion } of listPolicies(undefined, DECISION))
      expect(flaw(mode, rules, { schemaVersion })).toBeUndefined();
    // The same in other words: it is there already.
    const written = { ...majority, _note: 1, evaluation: { required_before_voting: false } };
    for (const rules of [majority, written])
      expect(std('majority', rules)?.code).toBe(RejectionCode.CONFLICT);
    for (const other of [
      std('own', majority),
      std('majority', { ...majority, voting: { ...majority.voting, threshold: 0.6 } }),
      std('majority', majority, { schemaVersion: 2 }),
      std('majority', majority, { mode: '*' }),
    ])
      expect(other).toMatchObject({
        code: RejectionCode.INVALID_POLICY_DEFINITION,
        message: expect.stringContaining('policy.std.'),
      });
    const command = { kind: 'unregister', policyId: 'policy.std.majority' } as const;
    expect(
      policiesDecider.decide(undefined, command, { at: 1, seq: 1, agent: 'admin' }, context),
    ).toMatchObject({ rejection: { code: RejectionCode.CONFLICT } });
  });

  it('macp-2026:6.5 what an older log registered under policy.std. is not found', () => {
    const known = { ...policyOf(DECISION, {}, { policyId: 'policy.std.own' }), registeredAtUnixMs: 1 };
    const state = { policies: new Map([[known.policyId, known]]), createdAt: 1 };
    expect(findPolicy(state, known.policyId)).toBeUndefined();
    expect(listPolicies(state, '').map(({ policyId }) => policyId)).not.toContain(known.policyId);
  });
});

describe('a recorded registration', () => {
  const entry = (mode: string, rules: JsonObject, more: JsonObject = {}) =>
    logOf('policies', [
      ['PolicyRegistered', { policy_id: 'p', mode, description: '', schema_version: 1, rules, ...more }],
    ]);

  it.each([
    [DECISION, { anything: { goes: 1 } }],
    [HANDOFF, { commitment: { allow_no_target: true }, audit: { level: 'warn' } }],
    ['*', { acceptance: { implicit_decline_timeout_ms: 1 } }],
  ])(
    `${verifies('macp-2026:0:older-keys')}for %s verifies by the rules of its time, and by those of now when it says so`,
    (mode, rules) => {
      expect(verified('policies', entry(mode, rules))).toMatchObject({ ok: true });
      expect(verified('policies', entry(mode, rules, { rev: 2 }))).toMatchObject({ ok: false });
      expect(flaw(mode, rules)).toBeDefined();
    },
  );

  it.each([
    [DECISION, { voting: { quorum: { type: 'percentage', value: 150 } } }],
    [DECISION, { voting: { quorum: { type: 'percentage', value: 0.5 } } }],
    ['macp.mode.decison.v1', { voting: { treshold: 1 } }],
  ])('macp-2026:0 for %s that could not be meant verifies, and stands as it was', (mode, rules) => {
    expect(verified('policies', entry(mode, rules, { rev: 2 }))).toMatchObject({ ok: true });
    expect(verified('policies', entry(mode, rules, { rev: 3 }))).toMatchObject({ ok: false });
    expect(fileFlaw(policyOf(mode, rules))).toBeDefined();
  });

  it('says by which rules it was judged', () => {
    const decision = register(policyOf(DECISION, { voting: { algorithm: 'plurality' } }));
    expect(decision).toMatchObject({ kind: 'accepted', drafts: [{ facts: { rev: 3 } }] });
  });

  it('of a policies folder may use the keys of then only where they were', () => {
    const older = policyOf(HANDOFF, { commitment: { allow_no_target: true } });
    expect(fileFlaw(older)).toBeUndefined();
    expect(fileFlaw(policyOf(DECISION, { anything: 1 }))).toContain('unknown key');
    expect(fileFlaw(policyOf(HANDOFF, { anything: 1 }))).toContain('unknown key');
    const command = { kind: 'replaceAll', policies: [older] } as const;
    const stamp = { at: 1, seq: 1, agent: 'admin' };
    const decision = policiesDecider.decide(undefined, command, stamp, context);
    if (decision.kind !== 'accepted') throw new Error('refused');
    expect(decision.drafts[0]?.facts).not.toHaveProperty('rev');
  });
});
