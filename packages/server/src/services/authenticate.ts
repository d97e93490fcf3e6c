/**
 * Authentication and its security log: a refused credential is counted and logged with the reason, never with its
 * value.
 */
import { RejectionCode, reject } from '@handover/core';
import type { Credentials, Principal } from '../auth/principal.js';
import type { ServiceDependencies } from './dependencies.js';
import type { Outcome } from './outcome.js';

export type Authenticated = Outcome<Principal>;

type Parts = Pick<ServiceDependencies, 'authenticator' | 'audit' | 'metrics'>;

/** Synchronous unless a key must be fetched for the credential: the hot path makes no promise. */
export function authenticate(
  deps: Parts,
  credentials: Credentials,
  door: string,
): Authenticated | Promise<Authenticated> {
  const outcome = deps.authenticator.authenticate(credentials);
  const judge = (result: Awaited<typeof outcome>): Authenticated => {
    if (result.ok) return { value: result.principal };
    deps.audit.authenticationFailed({ door, reason: result.message });
    deps.metrics.authenticationFailed();
    return { rejection: reject(RejectionCode.UNAUTHENTICATED, result.message) };
  };
  return outcome instanceof Promise ? outcome.then(judge) : judge(outcome);
}
