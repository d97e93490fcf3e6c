/**
 * The answers of unary calls, from the moment at which a call may begin until its client has taken the answer.
 *
 * An answer that is not taken for long is dropped with its call: sooner when others wait for the room.
 */
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type AnswerPlace, AnswerRoom } from '../../services/answer-room.js';
import { Http2Call } from './http2-call.js';

const SWEEP_MS = 1_000;
const STALLED = fixedLimits.grpcStalledAnswerMs.value / SWEEP_MS;
const STALLED_WHEN_CROWDED = fixedLimits.quietListenerMs.value / SWEEP_MS;
const SILENT_MS = fixedLimits.grpcSilentConnectionMs.value;
/** An answer that waits costs that much, however short it is. */
const LEAST_BYTES = 2_048;
/** Only for large ones is it worth asking whether the connection still holds what a call left behind. */
const LARGE_BYTES = 65_536;

export class Answers {
  readonly room = new AnswerRoom(fixedLimits.grpcAnswerBytes.value);
  /** Those that were handed to their connection, in this order. */
  readonly #untaken = new Set<Answer>();
  readonly #timer: NodeJS.Timeout;
  #sweep = 0;

  constructor() {
    this.#timer = setInterval(() => this.#dropStalled(), SWEEP_MS).unref();
  }

  /** `caller`: undefined for a stranger. `begin` is called when there is room. */
  open(
    call: ServerInterceptingCallInterface,
    caller: string | undefined,
    bytes: number,
    begin: () => void,
  ): Answer {
    const { grpcAnswerBytesOfCaller, grpcAnswerBytesOfStranger } = fixedLimits;
    const limit = caller === undefined ? grpcAnswerBytesOfStranger : grpcAnswerBytesOfCaller;
    const place = this.room.open(caller ?? call.getPeer(), limit.value, bytes, begin);
    return new Answer(call, place, this.#untaken, () => this.#sweep);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #dropStalled(): void {
    this.#sweep++;
    const patience = this.room.crowded ? STALLED_WHEN_CROWDED : STALLED;
    for (const answer of this.#untaken) {
      if (this.#sweep - answer.sentAt <= patience) return;
      answer.drop();
    }
  }
}

/** The answer of one call. */
export class Answer {
  readonly #call: ServerInterceptingCallInterface;
  readonly #place: AnswerPlace;
  readonly #untaken: Set<Answer>;
  readonly #sweep: () => number;
  #http2: Http2Call | undefined;
  #bytes = 0;
  sentAt = 0;

  constructor(
    call: ServerInterceptingCallInterface,
    place: AnswerPlace,
    untaken: Set<Answer>,
    sweep: () => number,
  ) {
    this.#call = call;
    this.#place = place;
    this.#untaken = untaken;
    this.#sweep = sweep;
  }

  /** The call begins when there is room. */
  enter(): void {
    this.#place.enter();
  }

  sent(bytes: number): void {
    this.#place.answered(Math.max(bytes, LEAST_BYTES));
    this.#http2 = new Http2Call({ call: this.#call });
    this.#bytes = bytes;
    this.sentAt = this.#sweep();
    this.#untaken.add(this);
  }

  taken(): void {
    this.#bytes = 0;
    this.#untaken.delete(this);
    this.#place.leave();
  }

  /** The call is gone. What its connection holds of a large answer counts until it is sent or dropped. */
  gone(): void {
    this.#untaken.delete(this);
    if (this.#http2 === undefined || this.#bytes < LARGE_BYTES) this.#place.leave();
    else void this.#http2.flushed(SILENT_MS).then(() => this.#place.leave());
  }

  drop(): void {
    this.#untaken.delete(this);
    this.#http2?.reset();
  }
}
