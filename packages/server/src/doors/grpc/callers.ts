/**
 * Who is calling, found out when a call begins and before its message is read.
 *
 * C1. A credential is checked once; the methods ask here for the outcome and refuse in the protocol's order.
 * C2. A call without a valid credential may have a small message only. A larger one is refused at its first bytes: it is
 *     never held.
 */
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { RejectionCode, reject } from '@handover/core';
import type { Authentication } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { judged } from '../../services/authenticate.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { Caller, Identify } from './credentials.js';
import { type Status, statusOfRejection } from './errors.js';

type Parts = Pick<ServiceDependencies, 'authenticator' | 'audit' | 'metrics'>;
type MaybePromise<T> = T | Promise<T>;

/** The name of this door in audit lines. */
export const DOOR = 'grpc';
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

  readonly interceptor: ServerInterceptor = (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, forward) => {
            const caller = { metadata, getAuthContext: () => call.getAuthContext() };
            const outcome = this.authentication(caller);
            this.#outcomes.set(metadata, outcome);
            if (!(outcome instanceof Promise)) return this.#begin(call, metadata, outcome, forward);
            outcome.then(
              (known) => this.#begin(call, metadata, known, forward),
              // The method that asks again gets the error and answers it.
              () => forward(metadata),
            );
          },
        }),
    });

  #begin(
    call: ServerInterceptingCallInterface,
    metadata: Metadata,
    outcome: Authentication,
    forward: (metadata: Metadata) => void,
  ): void {
    if (!outcome.ok) boundMessages(call, MAX_BYTES, () => this.#tooLarge(outcome));
    forward(metadata);
  }

  #tooLarge(outcome: Authentication): Status {
    const known = judged(this.#deps, outcome, DOOR);
    const reason = 'rejection' in known ? known.rejection.message : '';
    const message = `a message of more than ${MAX_BYTES} bytes needs a valid credential: ${reason}`;
    return statusOfRejection(reject(RejectionCode.UNAUTHENTICATED, message));
  }
}

/** The part of a grpc-js call that puts messages together. */
interface Decoding {
  readonly decoder: { maxReadMessageLength: number; write(data: Buffer): Buffer[] };
}

/**
 * grpc-js has one limit for the messages of all calls, and no other way to give a call its own: it is set on the
 * decoder of the call, which reads the length of a message before the message.
 */
function boundMessages(call: ServerInterceptingCallInterface, bytes: number, status: () => Status): void {
  const { decoder } = call as unknown as Decoding;
  const write = decoder.write.bind(decoder);
  decoder.maxReadMessageLength = Math.min(bytes, decoder.maxReadMessageLength);
  decoder.write = (data) => {
    try {
      return write(data);
    } catch (thrown) {
      // The first status counts: this one says more than that of the decoder.
      call.sendStatus(status());
      throw thrown;
    }
  };
}
