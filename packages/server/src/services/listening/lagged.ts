import { FaultCode, HandoverError } from '@handover/core';

/** For a listener that did not take in time what came for it. */
export function lagged(): HandoverError {
  return new HandoverError(FaultCode.STREAM_LAGGED, 'more came than was read', { next: 'retryable' });
}

/** For a listener whose credential is no longer good. */
export function expired(): HandoverError {
  return new HandoverError(FaultCode.CREDENTIAL_EXPIRED, 'the token has expired', { next: 'terminal' });
}
