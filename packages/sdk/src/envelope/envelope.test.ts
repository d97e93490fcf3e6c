import { describe, expect, it } from 'vitest';
import {
  buildCommitmentPayload,
  buildCommitmentRef,
  buildEnvelope,
  buildRoot,
  buildSessionStartPayload,
  parseMessage,
  serializeMessage,
} from './build.js';
import { commitmentHash } from './commitment-hash.js';
import { inferOutcomePositive } from './outcome.js';

describe('envelopes', () => {
  it('have a fresh id, the version and the time', () => {
    const input = { mode: 'm', messageType: 'T', sessionId: 's', payload: new Uint8Array([1]) };
    const [a, b] = [buildEnvelope(input), buildEnvelope(input)];
    expect(a).toMatchObject({ ...input, macpVersion: '1.0', sender: '' });
    expect(a.messageId).not.toBe(b.messageId);
    expect(Math.abs(a.timestampUnixMs - Date.now())).toBeLessThan(1_000);
  });

  it('carry payloads that can be read again', () => {
    const start = buildSessionStartPayload({
      intent: 'x',
      participants: ['a', 'b'],
      ttlMs: 1,
      roots: [buildRoot('file:///x')],
      extensions: { context: new Uint8Array([0, 255]) },
    });
    expect(parseMessage('SessionStart', serializeMessage('SessionStart', start))).toEqual(start);
    expect(parseMessage('SessionStart', new Uint8Array([255]))).toBeUndefined();
  });
});

describe('a Commitment', () => {
  const base = { action: 'handoff.accepted', authorityScope: 's', reason: 'r' };

  it.each([
    ['handoff.accepted', true],
    ['handoff.declined', false],
    ['HANDOFF.REJECTED', false],
    ['deploy-failed', false],
    ['handoff.no_target', false],
    ['option.selected', true],
  ])('with the action %s is positive: %s', (action, positive) => {
    expect(inferOutcomePositive(action)).toBe(positive);
    expect(buildCommitmentPayload({ ...base, action }).outcomePositive).toBe(positive);
  });

  it.each(['handoff-complete', 'declined.by.bob', 'done'])(
    'with the action %s needs an outcome',
    (action) => {
      expect(inferOutcomePositive(action)).toBeUndefined();
      expect(() => buildCommitmentPayload({ ...base, action })).toThrow(
        expect.objectContaining({ name: 'MacpSessionError', argument: 'outcomePositive' }),
      );
    },
  );

  it('takes the outcome that is given', () => {
    expect(buildCommitmentPayload({ ...base, action: 'done', outcomePositive: false }).outcomePositive).toBe(
      false,
    );
  });

  it('has the canonical hash, which covers what it supersedes', () => {
    const commitment = buildCommitmentPayload({ ...base, commitmentId: 'c1' });
    const hash = commitmentHash(commitment);
    // Computed apart, with Python's hashlib over the domain and the sorted compact JSON.
    expect(hash).toBe('sha256:25f8fe528c47b40a94ceaeca65da804e395335cbc9e64fd2b7ac1ffd562e68aa');
    const supersedes = buildCommitmentRef('s', hash);
    expect(commitmentHash({ ...commitment, supersedes })).not.toBe(hash);
    expect(commitmentHash({ ...commitment })).toBe(hash);
  });

  it('names an earlier one by a well-formed hash only', () => {
    expect(() => buildCommitmentRef('s', 'md5:00')).toThrow(/supersedes.commitmentHash/);
    expect(() => buildCommitmentRef(' ', `sha256:${'0'.repeat(64)}`)).toThrow(/supersedes.sessionId/);
    expect(() =>
      buildCommitmentPayload({ ...base, supersedes: { sessionId: 's', commitmentHash: '' } }),
    ).toThrow();
  });
});
