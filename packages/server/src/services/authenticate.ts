/**
 * Authentication and its security log: a refused credential is counted and logged with the reason, never with its
 * value.
 */
import { RejectionCode, reject } from '@handover/core';
import type { Authentication, Credentials, Principal } from '../auth/principal.js';
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
  return outcome instanceof Promise
    ? outcome.then((result) => judged(deps, result, door))
    : judged(deps, outcome, door);
}

/** For doors that check a credential before they ask for its outcome. */
export function judged(
  deps: Pick<Parts, 'audit' | 'metrics'>,
  result: Authentication,
  door: string,
): Authenticated {
  if (result.ok) return { value: result.principal };
  deps.audit.authenticationFailed({ door, reason: result.message });
  deps.metrics.authenticationFailed();
  return { rejection: reject(RejectionCode.UNAUTHENTICATED, result.message) };
}
