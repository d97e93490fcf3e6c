/**
 * Authentication and its security log: a refused credential is counted and logged with the reason, never with its
 * value.
 */
import { RejectionCode, reject } from '@handover/core';
import type { Authentication, Credentials, Principal } from '../auth/principal.js';
import type { ServiceDependencies } from './dependencies.js';
import type { Outcome } from './outcome.js';

export type Authenticated = Outcome<Principal>;

/** Where a request came in. `peer` is under which name its address counts; asked only when the request is refused. */
export interface Origin {
  readonly door: string;
  peer?(): string | undefined;
}

type Parts = Pick<ServiceDependencies, 'authenticator' | 'audit' | 'metrics'>;

/** Synchronous unless a key must be fetched for the credential: the hot path makes no promise. */
export function authenticate(
  deps: Parts,
  credentials: Credentials,
  origin: Origin,
): Authenticated | Promise<Authenticated> {
  const outcome = deps.authenticator.authenticate(credentials);
  return outcome instanceof Promise
    ? outcome.then((result) => judged(deps, result, origin))
    : judged(deps, outcome, origin);
}

/** For doors that check a credential before they ask for its outcome. */
export function judged(
  deps: Pick<Parts, 'audit' | 'metrics'>,
  result: Authentication,
  { door, ...origin }: Origin,
): Authenticated {
  if (result.ok) return { value: result.principal };
  const peer = origin.peer?.();
  deps.audit.authenticationFailed({ door, reason: result.message, ...(peer !== undefined && { peer }) });
  deps.metrics.authenticationFailed();
  return { rejection: reject(RejectionCode.UNAUTHENTICATED, result.message) };
}
