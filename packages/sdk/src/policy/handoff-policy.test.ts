import { describe, expect, it } from 'vitest';
import { buildHandoffPolicy, implicitDeclineTimeoutOf } from './handoff-policy.js';

describe('a Handoff policy', () => {
  it('has the names of the wire', () => {
    const policy = buildHandoffPolicy('policy.x', 'about', {
      acceptance: { implicitDeclineTimeoutMs: 500 },
      commitment: { authority: 'designated_role', designatedRoles: ['c'], allowNoTarget: true },
    });
    expect(policy).toMatchObject({ policyId: 'policy.x', mode: 'macp.mode.handoff.v1', schemaVersion: 1 });
    expect(JSON.parse(policy.rules)).toEqual({
      acceptance: { implicit_accept_timeout_ms: 0 },
      commitment: { authority: 'designated_role', designated_roles: ['c'] },
      'x-handover.rules': { implicit_decline_timeout_ms: 500, allow_no_target: true },
    });
    expect(implicitDeclineTimeoutOf(policy)).toBe(500);
    const older = JSON.stringify({ acceptance: { implicit_decline_timeout_ms: 7 } });
    expect(implicitDeclineTimeoutOf({ ...policy, rules: older })).toBe(7);
  });

  it('has defaults that change nothing', () => {
    expect(JSON.parse(buildHandoffPolicy('p', '').rules)).toEqual({
      acceptance: { implicit_accept_timeout_ms: 0 },
      commitment: { authority: 'initiator_only', designated_roles: [] },
    });
    expect(implicitDeclineTimeoutOf(buildHandoffPolicy('p', ''))).toBe(0);
  });

  it('is refused when it contradicts itself', () => {
    const both = { implicitAcceptTimeoutMs: 1, implicitDeclineTimeoutMs: 1 };
    expect(() => buildHandoffPolicy('p', '', { acceptance: both })).toThrow(/exclude each other/);
    expect(() => buildHandoffPolicy('p', '', { commitment: { authority: 'designated_role' } })).toThrow(
      /designated_roles/,
    );
    expect(() => buildHandoffPolicy('p', '', { acceptance: { implicitAcceptTimeoutMs: -1 } })).toThrow(
      /rules/,
    );
    expect(() => buildHandoffPolicy('p', '', { commitment: { requireVoteQuorum: true } })).toThrow(
      /require_vote_quorum/,
    );
    expect(() => buildHandoffPolicy(' ', '')).toThrow(/policyId/);
  });

  it('that cannot be read has no time-out', () => {
    const policy = buildHandoffPolicy('p', '');
    expect(implicitDeclineTimeoutOf({ ...policy, rules: 'not json' })).toBe(0);
    expect(implicitDeclineTimeoutOf({ ...policy, rules: '[]' })).toBe(0);
  });
});
