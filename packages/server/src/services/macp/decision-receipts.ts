/**
 * Receipts of the protocol's own format (docs/spec/macp-2026.md 14.3).
 *
 * D1. A receipt is made when it is first asked for, never on the path of a message, and kept: whoever asks again gets the
 *     same bytes, also when another key signs by then. Of two that are made at once the store says which counts.
 * D2. The whole history is checked before it is signed for. A log with a flaw gets no receipt.
 */
import {
  FaultCode,
  HandoverError,
  MACP_RECEIPT_FORMAT,
  noMacpReceipt,
  type Rejection,
  RejectionCode,
  reject,
  type StreamRef,
  streamKey,
} from '@handover/core';
import { callerKey } from '../../auth/caller-key.js';
import type { Principal } from '../../auth/principal.js';
import { makeDecisionReceipt } from '../../proof/decision-receipt.js';
import type { ServiceDependencies } from '../dependencies.js';
import type { HistoryWork, Rest } from '../history-work.js';
import type { Outcome } from '../outcome.js';
import { rateFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import type { Sessions } from './sessions.js';

const unavailable = (why: string): Rejection => reject(RejectionCode.RECEIPT_UNAVAILABLE, why);

export class DecisionReceipts {
  readonly #deps: ServiceDependencies;
  readonly #sessions: Sessions;
  readonly #work: HistoryWork;
  /** By stream: whoever comes while one is made waits for that one. */
  readonly #making = new Map<string, Promise<Outcome<string>>>();

  constructor(deps: ServiceDependencies, sessions: Sessions, work: HistoryWork) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#work = work;
  }

  /** The public keys as a JSON Web Key Set; anybody may have it. */
  get keys(): string {
    return this.#deps.receiptKeys.jwks;
  }

  async get(principal: Principal, sessionId: string): Promise<Outcome<string>> {
    const limited = rateFlaw(this.#deps, principal);
    if (limited) return { rejection: limited };
    const ref = sessionRef(principal.tenant, sessionId);
    const found = await this.#deps.engine.query(ref);
    const rejection = this.#sessions.judgeReader(principal, sessionId, found?.state);
    if (rejection) return { rejection };
    const none = found && noMacpReceipt(found.state);
    if (none !== undefined) return { rejection: unavailable(none) };
    return this.ofSession(ref, callerKey(principal));
  }

  /** For whoever has been let through; `caller` is for whom it waits. */
  async ofSession(ref: StreamRef<'session'>, caller: string): Promise<Outcome<string>> {
    const kept = await this.#deps.stored.receipts.find(ref, MACP_RECEIPT_FORMAT);
    if (kept !== undefined) return { value: kept };
    const found = await this.#deps.engine.query(ref);
    return this.#made(caller, ref, found?.head.seq ?? 0);
  }

  #made(caller: string, ref: StreamRef<'session'>, entries: number): Promise<Outcome<string>> {
    const key = streamKey(ref);
    const known = this.#making.get(key);
    if (known) return known;
    const making = this.#work
      .run(caller, entries, (rest) => this.#make(ref, rest))
      .catch((thrown: unknown) => {
        // A server that is busy has not failed to make one.
        if (HandoverError.from(thrown).code !== FaultCode.OVERLOADED) this.#deps.metrics.receiptFailed();
        throw thrown;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(ref: StreamRef<'session'>, rest: Rest): Promise<Outcome<string>> {
    const { codec, stored: store, metrics, receiptKeys: keys, now } = this.#deps;
    const made = await makeDecisionReceipt({ store, codec, keys, now, rest }, ref);
    if ('none' in made) return { rejection: unavailable(made.none) };
    if ('text' in made) {
      if (made.isNew) metrics.receiptIssued();
      return { value: made.text };
    }
    metrics.replayMismatch();
    metrics.receiptFailed();
    const message = 'the stored history does not hold; no receipt can be given for it';
    return { rejection: reject(RejectionCode.INTERNAL_ERROR, message) };
  }
}
