import { status } from '@grpc/grpc-js';
import { FaultCode, HandoverError, RejectionCode, reject } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { ERROR_DETAILS_TRAILER, laggedStatus, statusOfFault, statusOfRejection } from './errors.js';

describe('a status', () => {
  it('names the code, and carries the reasons of a policy in a trailer', () => {
    const denied = statusOfRejection(reject(RejectionCode.POLICY_DENIED, 'no', ['too early', 'too late']));
    expect(denied).toMatchObject({ code: status.FAILED_PRECONDITION, details: 'POLICY_DENIED: no' });
    const [trailer] = denied.metadata?.get(ERROR_DETAILS_TRAILER) ?? [];
    expect(JSON.parse(String(trailer))).toEqual({ reasons: ['too early', 'too late'] });
    expect(statusOfRejection(reject(RejectionCode.FORBIDDEN, 'no')).metadata).toBeUndefined();
  });

  it('does not say twice what the status says', () => {
    const refused = statusOfRejection(reject(RejectionCode.UNAUTHENTICATED, 'no credentials were sent'));
    expect(refused).toMatchObject({ code: status.UNAUTHENTICATED, details: 'no credentials were sent' });
  });

  it('keeps the cause of a fault to itself', () => {
    const fault = new HandoverError(FaultCode.INTERNAL, 'an internal error occurred', {
      cause: new Error('secret'),
    });
    expect(statusOfFault(fault)).toEqual({ code: status.INTERNAL, details: 'an internal error occurred' });
    expect(statusOfFault(new TypeError('secret')).details).not.toContain('secret');
  });

  it('says where to go on after falling behind', () => {
    expect(laggedStatus(7)).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(laggedStatus(7).details).toContain('after_sequence=7');
  });
});
