/** The rejections of operations. Messages name no secret and no content. */
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import type { OperationState } from './state.js';

export const operationNotFound = (): Rejection =>
  reject(RejectionCode.OPERATION_NOT_FOUND, 'operation not found or token mismatch');

export const operationExpired = (): Rejection =>
  reject(RejectionCode.SESSION_EXPIRED, 'the handoff has expired');

export function operationConflict(state: OperationState, message: string): Rejection {
  const steps = state.steps.map(({ id, status }) => ({ id, status }));
  return rejectWith(RejectionCode.CONFLICT, message, { status: state.status, steps });
}

export const operationFlaw = (message: string): Rejection => reject(RejectionCode.VALIDATION_ERROR, message);
