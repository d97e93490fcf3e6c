/**
 * One StreamSession call of an authenticated caller (docs/spec/macp.md 5.1).
 *
 * S1. Frames are taken in order, one at a time, and none is read while one is being decided.
 * S2. The first frame that names a session binds the stream to it for life.
 * S3. Nothing of a session is delivered before the service has allowed the caller to read it. A refused envelope does
 *     not subscribe its sender.
 * S4. A sender's stream is live from its first frame on. If this frame starts the session, the stream delivers the
 *     whole session. Every accepted envelope, the sender's own included, comes back exactly once, in order.
 * S5. These end the stream: a sender who is not the caller, a frame that cannot be read or names another session, an
 *     unknown session on subscribe, lag, and faults. Every other refusal is sent as a frame. A duplicate gets no frame.
 * S6. When the client ends its side, the entries that are stored by then are delivered and the call ends with OK. The
 *     end of the session does not end the stream.
 */
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { type Envelope, type Rejection, RejectionCode, reject } from '@handover/core';
import { type AckError, encodeStreamFrame } from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';
import type { DoorContext } from '../context.js';
import { invalidEnvelope, type Status, statusOfFault, statusOfRejection } from '../errors.js';
import type { Listening } from '../listen.js';
import type { Outgoing } from '../outgoing.js';
import { logFault } from '../unary.js';
import { type Frame, readFrame } from './frame.js';
import { LIVE, SessionFeed } from './session-feed.js';

export type StreamCall = ServerDuplexStream<Uint8Array, Uint8Array>;

const NO_DETAILS = new Uint8Array(0);
const OTHER_SESSION = invalidEnvelope('a stream carries one session, the one of its first frame');
const NO_SESSION = reject(
  RejectionCode.INVALID_ENVELOPE,
  'session_id is empty: a stream carries the envelopes of a session; use Send for the others',
);

/** Who asks for them gets suspend, resume and cancel as well. They have no ordinal: whoever counts must not count them. */
const wantsControls = ({ metadata }: StreamCall): boolean => metadata.get('handover-control')[0] === '1';

export class SessionStream {
  readonly #context: DoorContext;
  readonly #principal: Principal;
  readonly #call: StreamCall;
  readonly #out: Outgoing;
  readonly #feed: SessionFeed;
  #bound = '';
  #busy = false;
  /** Once this is set, no further frame is taken, and only what is stored by then is still delivered. */
  #farewell: { readonly status: Status | undefined } | undefined;

  constructor(context: DoorContext, listening: Listening, call: StreamCall, out: Outgoing) {
    this.#context = context;
    this.#principal = listening.principal;
    this.#call = call;
    this.#out = out;
    this.#feed = new SessionFeed(context, listening, out, wantsControls(call));
    call.on('cancelled', () => this.#feed.close());
    call.on('end', () => this.leave(undefined));
    call.on('data', (bytes: Uint8Array) => {
      call.pause();
      void this.#take(bytes);
    });
  }

  /** Ends the stream once the frame under way is decided, with OK if there is no status. */
  leave(status: Status | undefined): void {
    if (this.#farewell) return;
    this.#farewell = { status };
    if (!this.#busy) this.#next();
  }

  /** Called after a frame: takes the next one, or ends the stream if that was asked for meanwhile. */
  #next(): void {
    if (this.#farewell) void this.#finish(this.#farewell.status);
    else this.#call.resume();
  }

  async #take(bytes: Uint8Array): Promise<void> {
    if (this.#out.ended || this.#farewell) return;
    this.#busy = true;
    try {
      const ending = await this.#process(readFrame(bytes));
      if (ending) return this.#feed.end(ending);
      await this.#out.ready();
    } catch (thrown) {
      return this.#fail(thrown);
    }
    this.#busy = false;
    this.#next();
  }

  /** The status with which the frame ends the stream, if it does. */
  async #process(frame: Frame): Promise<Status | undefined> {
    if (frame.kind === 'unreadable') return frame.status;
    const { sessionId } = frame;
    if (sessionId === '') return this.#refuse(NO_SESSION, frame);
    if (this.#bound !== '' && this.#bound !== sessionId) return OTHER_SESSION;
    this.#bound = sessionId;
    if (frame.kind === 'envelope') return this.#send(frame.envelope);
    const rejection = await this.#feed.follow(sessionId, frame.after);
    if (!rejection) return undefined;
    const unknown = rejection.code === RejectionCode.SESSION_NOT_FOUND;
    return unknown ? statusOfRejection(rejection) : this.#refuse(rejection, frame);
  }

  async #send(envelope: Envelope): Promise<Status | undefined> {
    const { sessionId } = envelope;
    // Follows before it sends, so that the stream does not miss this envelope. An outsider is refused here and below.
    if (!this.#feed.begun) await this.#feed.follow(sessionId, LIVE);
    const { error, duplicate } = await this.#context.send.sendAs(this.#principal, envelope);
    // The credential was good when the stream opened, so the envelope names a sender who is not the caller.
    if (error?.code === RejectionCode.UNAUTHENTICATED)
      return statusOfRejection(reject(RejectionCode.UNAUTHENTICATED, error.message));
    if (error) this.#inline(error);
    // The session can be read only now, because this envelope started it.
    else if (!this.#feed.begun) await this.#feed.follow(sessionId, duplicate ? LIVE : 0);
    return undefined;
  }

  #refuse({ code, message }: Rejection, frame: Frame): undefined {
    const messageId = frame.kind === 'envelope' ? frame.envelope.messageId : '';
    this.#inline({ code, message, sessionId: this.#bound, messageId, details: NO_DETAILS });
  }

  #inline(error: AckError): void {
    this.#out.write(encodeStreamFrame({ kind: 'error', error }));
  }

  async #finish(status: Status | undefined): Promise<void> {
    try {
      await this.#feed.drain(this.#bound);
      this.#feed.end(status);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    logFault(this.#context.log, thrown);
    this.#feed.end(statusOfFault(thrown));
  }
}
