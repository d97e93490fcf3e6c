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
  MacpReceiptFold,
  noMacpReceipt,
  type Rejection,
  RejectionCode,
  reject,
  type StreamRef,
  signMacpReceipt,
  streamKey,
} from '@handover/core';
import { callerKey } from '../../auth/caller-key.js';
import type { Principal } from '../../auth/principal.js';
import { entryPages } from '../../proof/entry-pages.js';
import { verifyPages } from '../../proof/verify-pages.js';
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
    const kept = await this.#deps.stored.receipts.find(ref, MACP_RECEIPT_FORMAT);
    return kept === undefined ? this.#made(callerKey(principal), ref) : { value: kept };
  }

  #made(caller: string, ref: StreamRef<'session'>): Promise<Outcome<string>> {
    const key = streamKey(ref);
    const known = this.#making.get(key);
    if (known) return known;
    const making = this.#work
      .run(caller, (rest) => this.#make(ref, rest))
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
    const { codec, stored, metrics, receiptKeys, now } = this.#deps;
    const fold = new MacpReceiptFold(codec);
    const pages = entryPages(stored, ref);
    const verdict = await verifyPages(ref, pages, codec, (entry) => fold.add(entry), rest);
    if (!verdict.ok || !verdict.session) {
      metrics.replayMismatch();
      metrics.receiptFailed();
      const message = 'the stored history does not hold; no receipt can be given for it';
      return { rejection: reject(RejectionCode.INTERNAL_ERROR, message) };
    }
    const { issuer, kid, signer } = receiptKeys;
    const made = fold.result(verdict.session, verdict.head, { issuer, issuedAt: now() });
    if ('none' in made) return { rejection: unavailable(made.none) };
    const text = signMacpReceipt(made.body, { kid, sign: (bytes) => signer.sign(bytes) }, codec);
    const counts = await stored.receipts.put(ref, MACP_RECEIPT_FORMAT, text);
    if (counts === text) metrics.receiptIssued();
    return { value: counts };
  }
}
