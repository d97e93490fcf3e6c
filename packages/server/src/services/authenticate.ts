/** Authentication with its audit trail: refused credentials are counted and named, never repeated. */
import { type Rejection, RejectionCode, reject } from '@handover/core';
import type { Credentials, Principal } from '../auth/principal.js';
import type { ServiceDependencies } from './dependencies.js';

export type Authenticated = { readonly principal: Principal } | { readonly rejection: Rejection };

type Parts = Pick<ServiceDependencies, 'authenticator' | 'audit' | 'metrics'>;

/** Synchronous whenever the credential needs no key to be fetched: the hot path has no promise in it. */
export function authenticate(
  deps: Parts,
  credentials: Credentials,
  door: string,
): Authenticated | Promise<Authenticated> {
  const outcome = deps.authenticator.authenticate(credentials);
  const judge = (result: Awaited<typeof outcome>): Authenticated => {
    if (result.ok) return { principal: result.principal };
    deps.audit.authenticationFailed({ door, reason: result.message });
    deps.metrics.authenticationFailed();
    return { rejection: reject(RejectionCode.UNAUTHENTICATED, result.message) };
  };
  return outcome instanceof Promise ? outcome.then(judge) : judge(outcome);
}
