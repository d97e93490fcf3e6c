/**
 * Calls whose request is not whole yet, or may not begin yet.
 *
 * A1. The time limit of requests runs from the headers on.
 * A2. What has arrived is counted, for its caller and in all, until the call begins. Beyond that a call is refused.
 * A3. Strangers have one share, and those at one address a part of it: when it is full, the one that has waited longest
 *     makes room. Who sends its request at once is served, however many do not.
 * A4. A connection has a bounded number of such calls of strangers.
 */
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { RejectionCode, rejectWith } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { BodyBudget, type BodyShare } from '../../services/body-budget.js';
import { NOT_BEGUN_IN_TIME, type Status, statusOfRejection } from './errors.js';
import { Http2Call } from './http2-call.js';
import { groupOfPeer } from './origin.js';
import type { PendingRequest, RequestDeadlines } from './request-deadlines.js';

const CALL_BYTES = fixedLimits.grpcArrivingCallBytes.value;
const PIECE_BYTES: number = fixedLimits.grpcArrivingPieceBytes.value;
const MAX_OF_STRANGER = fixedLimits.grpcArrivingOfStranger.value;
const RETRY_AFTER_MS = 1_000;

const NO_ROOM = busy('the server holds as many unfinished requests as it can; try again in a moment');
const TOO_MANY = busy(
  `this connection has ${MAX_OF_STRANGER} unfinished requests without a valid credential, which is the most`,
);

export class Arrivals {
  readonly budget = new BodyBudget({
    inAll: fixedLimits.grpcArrivingBytes.value,
    ofCaller: fixedLimits.grpcArrivingBytesOfCaller.value,
    ofStrangers: fixedLimits.grpcArrivingBytesOfStrangers.value,
    ofAddress: fixedLimits.grpcArrivingBytesOfAddress.value,
  });
  readonly #deadlines: RequestDeadlines;
  readonly #refused: () => void;
  readonly #strangers = new Set<Arrival>();
  readonly #ofConnection = new Map<string, number>();

  constructor(deadlines: RequestDeadlines, refused: () => void = () => {}) {
    this.#deadlines = deadlines;
    this.#refused = refused;
  }

  begin(call: ServerInterceptingCallInterface): Arrival {
    const request = this.#deadlines.begin(() => endWith(call, NOT_BEGUN_IN_TIME));
    return new Arrival(this, call, request);
  }

  inTime(request: PendingRequest): void {
    this.#deadlines.end(request);
  }

  /** True: it may be read. */
  admit(arrival: Arrival): boolean {
    const { peer } = arrival;
    if (peer !== undefined) {
      const open = this.#ofConnection.get(peer) ?? 0;
      if (open >= MAX_OF_STRANGER) return this.refuse(arrival, TOO_MANY);
      this.#ofConnection.set(peer, open + 1);
      this.#strangers.add(arrival);
    }
    return this.take(arrival, CALL_BYTES);
  }

  take(arrival: Arrival, bytes: number): boolean {
    return arrival.share?.take(bytes) === true || this.refuse(arrival, NO_ROOM);
  }

  open(arrival: Arrival, caller: string | undefined): BodyShare {
    if (caller !== undefined) return this.budget.open({ caller });
    const share = this.budget.open({ address: groupOfPeer(arrival.call.getPeer()) });
    share.onGivenUp = () => this.refuse(arrival, NO_ROOM);
    return share;
  }

  leave(arrival: Arrival): void {
    if (arrival.peer === undefined || !this.#strangers.delete(arrival)) return;
    const left = (this.#ofConnection.get(arrival.peer) ?? 0) - 1;
    if (left > 0) this.#ofConnection.set(arrival.peer, left);
    else this.#ofConnection.delete(arrival.peer);
  }

  refuse(arrival: Arrival, status: Status): false {
    this.#refused();
    arrival.over();
    endWith(arrival.call, status);
    return false;
  }
}

/** The arrival of one call. */
export class Arrival {
  readonly call: ServerInterceptingCallInterface;
  readonly #arrivals: Arrivals;
  readonly #request: PendingRequest;
  share: BodyShare | undefined;
  /** The connection of a stranger. */
  peer: string | undefined;
  /** Bytes of the message. */
  #arrived = 0;
  /** What was taken for the call; it covers the first bytes. */
  #counted: number = CALL_BYTES;
  #over = false;

  constructor(arrivals: Arrivals, call: ServerInterceptingCallInterface, request: PendingRequest) {
    this.#arrivals = arrivals;
    this.call = call;
    this.#request = request;
  }

  /** Who it is has been found out; without a caller it is a stranger. False: the call has ended. */
  admit(caller: string | undefined): boolean {
    if (this.#over) return false;
    this.share = this.#arrivals.open(this, caller);
    if (caller === undefined) this.peer = this.call.getPeer();
    return this.#arrivals.admit(this);
  }

  /** A piece of a message. False: the call has ended. */
  take(bytes: number): boolean {
    this.#arrived += Math.max(bytes, PIECE_BYTES);
    const more = this.#arrived - this.#counted;
    if (more <= 0) return true;
    this.#counted += more;
    return this.#arrivals.take(this, more);
  }

  /** The message that came in these pieces has so many bytes. False: the call has ended. */
  cover(bytes: number): boolean {
    return bytes <= this.#arrived || this.take(bytes - this.#arrived);
  }

  /** A message was passed on. What comes after it counts from the start, and has no time limit. */
  passedOn(): void {
    this.#arrivals.inTime(this.#request);
    this.#arrivals.leave(this);
    this.share?.release();
    this.#counted = 0;
    this.#arrived = 0;
  }

  /** The call begins, or is gone. */
  over(): void {
    if (this.#over) return;
    this.#over = true;
    this.passedOn();
  }
}

/** A stream that has sent nothing yet can be closed with its status; of others the status waits behind what was sent. */
function endWith(call: ServerInterceptingCallInterface, status: Status): void {
  const http2 = new Http2Call({ call });
  const { hasAnswered } = http2;
  call.sendStatus(status);
  if (!hasAnswered) http2.stopReading();
}

function busy(message: string): Status {
  return statusOfRejection(rejectWith(RejectionCode.RATE_LIMITED, message, { retryAfterMs: RETRY_AFTER_MS }));
}
