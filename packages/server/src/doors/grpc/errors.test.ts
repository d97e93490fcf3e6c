import { status } from '@grpc/grpc-js';
import { FaultCode, HandoverError, RejectionCode, reject } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import {
  ERROR_CODE_TRAILER,
  ERROR_DETAILS_TRAILER,
  invalidEnvelope,
  invalidRequest,
  laggedStatus,
  statusOfFault,
  statusOfRejection,
} from './errors.js';

describe('a status', () => {
  it(`${verifies('macp-2026:2.3:unspecified')}names the code, and carries the reasons of a policy in a trailer`, () => {
    const denied = statusOfRejection(reject(RejectionCode.POLICY_DENIED, 'no', ['too early', 'too late']));
    expect(denied).toMatchObject({ code: status.PERMISSION_DENIED, details: 'POLICY_DENIED: no' });
    const [trailer] = denied.metadata.get(ERROR_DETAILS_TRAILER);
    expect(JSON.parse(String(trailer))).toEqual({
      reasons: ['too early', 'too late'],
      denials: [
        { code: 'unspecified', message: 'too early' },
        { code: 'unspecified', message: 'too late' },
      ],
    });
    const { metadata } = statusOfRejection(reject(RejectionCode.FORBIDDEN, 'no'));
    expect(metadata.getMap()).toEqual({ [ERROR_CODE_TRAILER]: 'FORBIDDEN' });
  });

  it('does not say twice what the status says', () => {
    const refused = statusOfRejection(reject(RejectionCode.UNAUTHENTICATED, 'no credentials were sent'));
    expect(refused).toMatchObject({ code: status.UNAUTHENTICATED, details: 'no credentials were sent' });
    // Whether a service refuses or the door cannot read it, the text begins alike.
    expect(invalidRequest('page_size is negative').details).toBe('INVALID_REQUEST: page_size is negative');
    expect(invalidEnvelope('no envelope').details).toBe('INVALID_ENVELOPE: no envelope');
  });

  it('keeps the cause of a fault to itself', () => {
    const fault = new HandoverError(FaultCode.INTERNAL, 'an internal error occurred', {
      cause: new Error('secret'),
    });
    expect(statusOfFault(fault)).toMatchObject({
      code: status.INTERNAL,
      details: 'an internal error occurred',
    });
    expect(statusOfFault(new TypeError('secret')).details).not.toContain('secret');
  });

  it(`${verifies('macp-2026:2:code-trailer')}carries a code of the registry with every rejection and every fault (macp-2026:2.1)`, () => {
    for (const code of Object.values(RejectionCode))
      expect(statusOfRejection(reject(code, 'no')).metadata.get(ERROR_CODE_TRAILER)).toEqual([code]);
    for (const code of Object.values(FaultCode)) {
      const [sent] = statusOfFault(new HandoverError(code, 'no')).metadata.get(ERROR_CODE_TRAILER);
      expect(['INTERNAL_ERROR', 'RATE_LIMITED', 'STREAM_LAGGED', 'UNAUTHENTICATED']).toContain(sent);
    }
  });

  it(`${verifies('macp-2026:2.3:participants')}writes each participant of a denial once and in order, and none when nobody is meant (macp-2026:2.3)`, () => {
    const denials = [
      { code: 'veto', message: 'somebody objects', participants: ['zoe', 'bob', 'zoe'] },
      { code: 'no_votes', message: 'nobody voted', participants: [] },
    ];
    const denied = statusOfRejection({
      ...reject(RejectionCode.POLICY_DENIED, 'no', ['somebody objects', 'nobody voted']),
      denials,
    });
    expect(JSON.parse(String(denied.metadata.get(ERROR_DETAILS_TRAILER)[0])).denials).toEqual([
      { code: 'veto', message: 'somebody objects', participants: ['bob', 'zoe'] },
      { code: 'no_votes', message: 'nobody voted' },
    ]);
  });

  it('says where to go on after falling behind', () => {
    expect(laggedStatus(7)).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(laggedStatus(7).details).toContain('after_sequence=7');
  });
});
