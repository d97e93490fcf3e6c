/**
 * Who is calling, found out when a call begins and before its message is read.
 *
 * C1. A credential is checked once; the methods ask here for the outcome and refuse in the protocol's order.
 * C2. A call without a valid credential may have a small message only. A larger one is refused at its first bytes: it is
 *     never held.
 */
import type { Metadata } from '@grpc/grpc-js';
import { RejectionCode, reject } from '@handover/core';
import type { Authentication } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { judged, type Origin } from '../../services/authenticate.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { Caller, Identify } from './credentials.js';
import { type Status, statusOfRejection } from './errors.js';
import type { MessageBound } from './message-pieces.js';
import { originOf } from './origin.js';

type Parts = Pick<ServiceDependencies, 'authenticator' | 'audit' | 'metrics'>;
type MaybePromise<T> = T | Promise<T>;

const MAX_BYTES = fixedLimits.strangerBodyBytes.value;

export class Callers {
  readonly #deps: Parts;
  readonly #identify: Identify;
  readonly #outcomes = new WeakMap<Metadata, MaybePromise<Authentication>>();

  constructor(deps: Parts, identify: Identify) {
    this.#deps = deps;
    this.#identify = identify;
  }

  authentication(call: Caller): MaybePromise<Authentication> {
    return this.#outcomes.get(call.metadata) ?? this.#deps.authenticator.authenticate(this.#identify(call));
  }

  /** Checks the credential of a call that begins, and keeps the outcome for its method. */
  identify(call: Omit<Caller, 'metadata'>, metadata: Metadata): MaybePromise<Authentication> {
    const outcome = this.authentication({
      metadata,
      getAuthContext: () => call.getAuthContext(),
      getPeer: () => call.getPeer(),
    });
    this.#outcomes.set(metadata, outcome);
    return outcome;
  }

  /** What a call that is refused anyway may send. */
  bound(outcome: Authentication, call: Pick<Caller, 'getPeer'>): MessageBound {
    return { bytes: MAX_BYTES, status: () => this.#tooLarge(outcome, originOf(call)) };
  }

  #tooLarge(outcome: Authentication, origin: Origin): Status {
    const known = judged(this.#deps, outcome, origin);
    const reason = 'rejection' in known ? known.rejection.message : '';
    const message = `a message of more than ${MAX_BYTES} bytes needs a valid credential: ${reason}`;
    return statusOfRejection(reject(RejectionCode.UNAUTHENTICATED, message));
  }
}
