import { status } from '@grpc/grpc-js';
import { FAULT_WAIT_MS, FaultCode, RejectionCode } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { FAULT_STATUS, REJECTION_STATUS } from './status-table.js';

describe('the status table', () => {
  it('has one row for each code, each with a status that exists', () => {
    expect(Object.keys(REJECTION_STATUS).sort()).toEqual(Object.values(RejectionCode).sort());
    expect(Object.keys(FAULT_STATUS).sort()).toEqual(Object.values(FaultCode).sort());
    for (const { grpc, http } of [...Object.values(REJECTION_STATUS), ...Object.values(FAULT_STATUS)]) {
      expect(status[grpc]).toBeGreaterThan(0);
      expect(http).toBeGreaterThanOrEqual(400);
    }
  });

  it(`${verifies('macp-2026:2:statuses')}pins the gRPC status of each code of the MACP registry (macp-2026:2)`, () => {
    const grpc = Object.fromEntries(Object.entries(REJECTION_STATUS).map(([code, row]) => [code, row.grpc]));
    expect(grpc).toMatchObject({
      UNAUTHENTICATED: 'UNAUTHENTICATED',
      FORBIDDEN: 'PERMISSION_DENIED',
      SESSION_NOT_FOUND: 'NOT_FOUND',
      SESSION_NOT_OPEN: 'FAILED_PRECONDITION',
      DUPLICATE_MESSAGE: 'ALREADY_EXISTS',
      SESSION_ALREADY_EXISTS: 'ALREADY_EXISTS',
      INVALID_ENVELOPE: 'INVALID_ARGUMENT',
      UNSUPPORTED_PROTOCOL_VERSION: 'INVALID_ARGUMENT',
      MODE_NOT_SUPPORTED: 'INVALID_ARGUMENT',
      PAYLOAD_TOO_LARGE: 'RESOURCE_EXHAUSTED',
      RATE_LIMITED: 'RESOURCE_EXHAUSTED',
      INVALID_SESSION_ID: 'INVALID_ARGUMENT',
      INTERNAL_ERROR: 'INTERNAL',
      UNKNOWN_POLICY_VERSION: 'NOT_FOUND',
      POLICY_DENIED: 'PERMISSION_DENIED',
      INVALID_POLICY_DEFINITION: 'INVALID_ARGUMENT',
      REGISTRY_READ_ONLY: 'FAILED_PRECONDITION',
      INVALID_REQUEST: 'INVALID_ARGUMENT',
      STREAM_LAGGED: 'RESOURCE_EXHAUSTED',
      AGENT_NOT_FOUND: 'NOT_FOUND',
      HISTORY_UNAVAILABLE: 'FAILED_PRECONDITION',
      RECEIPT_UNAVAILABLE: 'FAILED_PRECONDITION',
    });
  });

  it(`${verifies('macp-2026:2:statuses')}pins the HTTP status of each code of the MACP registry`, () => {
    const http = Object.fromEntries(Object.entries(REJECTION_STATUS).map(([code, row]) => [code, row.http]));
    expect(http).toMatchObject({
      UNAUTHENTICATED: 401,
      FORBIDDEN: 403,
      SESSION_NOT_FOUND: 404,
      SESSION_NOT_OPEN: 409,
      DUPLICATE_MESSAGE: 409,
      SESSION_ALREADY_EXISTS: 409,
      INVALID_ENVELOPE: 400,
      UNSUPPORTED_PROTOCOL_VERSION: 400,
      MODE_NOT_SUPPORTED: 400,
      PAYLOAD_TOO_LARGE: 413,
      RATE_LIMITED: 429,
      INVALID_SESSION_ID: 400,
      INTERNAL_ERROR: 500,
      UNKNOWN_POLICY_VERSION: 404,
      POLICY_DENIED: 403,
      INVALID_POLICY_DEFINITION: 400,
      REGISTRY_READ_ONLY: 409,
      INVALID_REQUEST: 400,
      STREAM_LAGGED: 503,
      AGENT_NOT_FOUND: 404,
      HISTORY_UNAVAILABLE: 409,
      RECEIPT_UNAVAILABLE: 409,
    });
  });

  it(`${verifies('macp-2026:2:unauthorized')}has no UNAUTHORIZED, which is an older word for FORBIDDEN`, () => {
    expect(Object.keys(REJECTION_STATUS)).not.toContain('UNAUTHORIZED');
  });

  it('names a wait for every fault that may be tried again, and for no other', () => {
    for (const [code, { retry }] of Object.entries(FAULT_STATUS))
      expect([code, FAULT_WAIT_MS[code as FaultCode] !== undefined]).toEqual([code, retry !== 'never']);
  });

  it('says that an unknown outcome is to be retried under the same id, and damage is not', () => {
    expect(FAULT_STATUS.UNKNOWN_OUTCOME).toEqual({ grpc: 'UNAVAILABLE', http: 503, retry: 'same-id' });
    expect(FAULT_STATUS.DATA_LOSS.retry).toBe('never');
  });
});
