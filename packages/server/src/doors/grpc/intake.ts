/**
 * What every call goes through on its way to its method: who calls, whether its request may be held, when it begins, and
 * whether its answer is taken.
 *
 * I1. Who is calling is found out before a message is read.
 * I2. A client whose unary call has ended need not send the rest of its request, and cannot keep the stream open by not doing so.
 * I3. A unary call begins when its request is whole, when there is room for its answer, and when it is its turn.
 */
import {
  type Metadata,
  type MethodDefinition,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { Authentication } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { Slices } from '../../platform/slices.js';
import { expectedAnswer } from './answer-sizes.js';
import type { Answer, Answers } from './answers.js';
import type { Arrival, Arrivals } from './arrivals.js';
import type { Callers } from './callers.js';
import type { Connections } from './connections/connections.js';
import { Http2Call } from './http2-call.js';
import { watchMessages } from './message-pieces.js';

export interface IntakeParts {
  readonly callers: Callers;
  readonly arrivals: Arrivals;
  readonly answers: Answers;
  readonly connections: Connections;
}

type Method = Pick<MethodDefinition<unknown, unknown>, 'path' | 'requestStream' | 'responseStream'>;

const STRANGER = '';

export class Intake {
  readonly #parts: IntakeParts;
  readonly #turns = new Slices(fixedLimits.grpcCallsPerTurn.value);

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  readonly interceptor: ServerInterceptor = (method, call) =>
    new IncomingCall(call, method, this.#parts, this.#turns);
}

class IncomingCall extends ServerInterceptingCall {
  readonly #call: ServerInterceptingCallInterface;
  readonly #method: Method;
  readonly #parts: IntakeParts;
  readonly #turns: Slices;
  readonly #arrival: Arrival;
  #caller: string | undefined;
  #answer: Answer | undefined;
  #isWhole = false;
  #gone = false;

  constructor(call: ServerInterceptingCallInterface, method: Method, parts: IntakeParts, turns: Slices) {
    super(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, forward) => this.#identify(metadata, forward),
          onReceiveMessage: (message, forward) => this.#receive(message, forward),
          onReceiveHalfClose: (forward) => this.#whole(forward),
          onCancel: () => this.#leave(),
        }),
    });
    this.#call = call;
    this.#method = method;
    this.#parts = parts;
    this.#turns = turns;
    this.#arrival = parts.arrivals.begin(call);
  }

  override sendMessage(message: unknown, callback: () => void): void {
    const answer = this.#answer;
    if (!answer) {
      super.sendMessage(message, callback);
      return;
    }
    answer.sent(message instanceof Uint8Array ? message.length : 0);
    super.sendMessage(message, () => {
      answer.taken();
      callback();
    });
  }

  #identify(metadata: Metadata, forward: (metadata: Metadata) => void): void {
    const outcome = this.#parts.callers.identify(this.#call, metadata);
    const admit = (known?: Authentication) => this.#admit(known, metadata, forward);
    // The method that asks again gets the error and answers it.
    if (outcome instanceof Promise) outcome.then(admit, () => admit());
    else admit(outcome);
  }

  #admit(
    outcome: Authentication | undefined,
    metadata: Metadata,
    forward: (metadata: Metadata) => void,
  ): void {
    const { connections, callers } = this.#parts;
    const connection = connections.of(this.#call.getPeer());
    if (outcome?.ok) {
      this.#caller = `${outcome.principal.tenant}\n${outcome.principal.agent}`;
      if (connection) connections.known(connection, this.#caller);
    }
    if (!this.#arrival.admit(this.#caller)) return;
    // A stream of somebody who is known may be silent: it counts among its listeners.
    if (this.#method.requestStream && this.#caller !== undefined) this.#arrival.passedOn();
    const bound = outcome && !outcome.ok ? callers.bound(outcome, this.#call) : undefined;
    watchMessages(this.#call, this.#arrival, bound, connection);
    forward(metadata);
  }

  #receive(message: unknown, forward: (message: unknown) => void): void {
    // A message that was compressed is longer than what arrived.
    if (message instanceof Uint8Array && !this.#arrival.cover(message.length)) return;
    if (this.#method.requestStream) this.#arrival.passedOn();
    forward(message);
  }

  #whole(forward: () => void): void {
    this.#isWhole = true;
    const { path, requestStream, responseStream } = this.#method;
    if (requestStream) {
      forward();
      return;
    }
    const { bytes, weight } = expectedAnswer(path);
    const inTurn = () =>
      this.#turns.begin(
        () => this.#caller ?? STRANGER,
        weight,
        () => this.#begin(forward),
      );
    if (responseStream) {
      inTurn();
      return;
    }
    this.#answer = this.#parts.answers.open(this.#call, this.#caller, bytes, inTurn);
    this.#answer.enter();
  }

  #begin(forward: () => void): void {
    this.#arrival.over();
    if (!this.#gone) forward();
  }

  #leave(): void {
    this.#gone = true;
    if (!this.#isWhole && !this.#method.requestStream) new Http2Call({ call: this.#call }).stopReading();
    this.#arrival.over();
    this.#answer?.gone();
  }
}
