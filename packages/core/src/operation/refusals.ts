/** The rejections of operations. Messages name no secret and no content. */
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import { Effect, type OperationStatus, type StepStatus } from './words.js';

export const operationNotFound = (): Rejection =>
  reject(RejectionCode.OPERATION_NOT_FOUND, 'operation not found or token mismatch');

export const operationExpired = (): Rejection =>
  reject(RejectionCode.SESSION_EXPIRED, 'the handoff has expired');

/** What a conflict says of the present state. */
interface Current {
  readonly status: OperationStatus;
  readonly effect?: Effect;
  readonly steps: readonly { readonly id: string; readonly status: StepStatus }[];
}

export function operationConflict({ status, effect, steps }: Current, message: string): Rejection {
  return rejectWith(RejectionCode.CONFLICT, message, {
    status,
    ...(effect !== undefined && { effect }),
    steps: steps.map((step) => ({ id: step.id, status: step.status })),
  });
}

export const operationFlaw = (message: string): Rejection => reject(RejectionCode.VALIDATION_ERROR, message);

/** Why another request may not take the place of this one; undefined: it may, as nothing was sent. */
export const replaceFlaw = (state: Current): Rejection | undefined =>
  state.effect === Effect.None
    ? undefined
    : operationConflict(
        state,
        'only a request of which nothing was sent can be replaced; wait for it, or ask the person',
      );
