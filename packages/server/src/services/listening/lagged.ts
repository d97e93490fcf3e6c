import { FaultCode, HandoverError } from '@handover/core';

/** For a listener that did not take in time what came for it. */
export function lagged(): HandoverError {
  return new HandoverError(FaultCode.STREAM_LAGGED, 'more came than was read', { next: 'retryable' });
}
