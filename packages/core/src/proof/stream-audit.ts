/**
 * The audit of one stream, entry by entry, holding no more than the stream's state and the ids it has seen.
 *
 * U1. Chain: C1 to C3 of log/chain.ts. The salt has its full length: with another, bytes could move between salt and
 *     payload under the same hash.
 * U2. Facts are canonical JSON, a message id stands once.
 * U3. Replay: each entry is what the rules give in its place (replay.ts), so facts agree with payloads.
 * U4. The first flaw ends the stream: what follows a broken link proves nothing.
 *
 * It cannot see that entries are missing at the end. Heads kept elsewhere show that: receipts carry one.
 */
import type { Listing } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { HandoverError } from '../fault.js';
import { chainFlaw, headOf, payloadFlaw } from '../log/chain.js';
import {
  type ChainHead,
  type Entry,
  GENESIS,
  type StreamKind,
  type StreamRef,
  streamKey,
} from '../log/entry.js';
import { canonicalJson } from '../log/json.js';
import type { CommandOf, StateOf } from '../streams.js';
import type { Flaw } from './flaw.js';
import { type ReceiptPart, type Replay, replayFlaw } from './replay.js';
import { carrierReplay } from './replay-carrier.js';
import { configurationReplay } from './replay-configuration.js';
import { operationReplay } from './replay-operation.js';
import { modesReplay, policiesReplay } from './replay-registries.js';
import { sessionReplay } from './replay-session.js';
import { worklogReplay } from './replay-worklog.js';

export const SALT_BYTES = 16;

/** A replay only ever receives entries of its own kind, and states that it made of them. */
type AnyReplay = Replay<StateOf<StreamKind>, CommandOf<StreamKind>>;

const REPLAYS: { readonly [K in StreamKind]?: Replay<StateOf<K>, CommandOf<K>> } = {
  session: sessionReplay,
  worklog: worklogReplay,
  operation: operationReplay,
  carrier: carrierReplay,
  policies: policiesReplay,
  modes: modesReplay,
  configuration: configurationReplay,
};

export interface SoundStream extends Partial<ReceiptPart> {
  readonly ok: true;
  readonly ref: StreamRef;
  readonly head: ChainHead;
  /** What the list tables must say of it. */
  readonly listing: Listing;
  /** One of these stands in the list row: the present one, and where the row may lag, earlier ones. */
  readonly dues: ReadonlySet<number | null>;
  readonly involved: readonly Involved[];
}

export interface FlawedStream {
  readonly ok: false;
  readonly ref: StreamRef;
  readonly head: ChainHead;
  readonly flaw: Flaw;
}

export type StreamVerdict = SoundStream | FlawedStream;

interface Involved {
  readonly agent: string;
  readonly role: string;
}

export class StreamAudit {
  readonly #ref: StreamRef;
  readonly #codec: Codec;
  readonly #replay: AnyReplay | undefined;
  readonly #ids = new Set<string>();
  readonly #involved = new Map<string, Involved>();
  readonly #pastDues = new Set<number>();
  #head = GENESIS;
  #state: StateOf<StreamKind> | undefined;
  #flaw: Flaw | undefined;

  constructor(ref: StreamRef, codec: Codec) {
    this.#ref = ref;
    this.#codec = codec;
    this.#replay = REPLAYS[ref.kind];
    if (!this.#replay) this.#flaw = { what: `streams of kind ${ref.kind} are unknown to this version` };
  }

  /** False: there is a flaw, and the audit is over. */
  add(entry: Entry): boolean {
    if (this.#flaw || !this.#replay) return false;
    const what = this.#entryFlaw(entry) ?? this.#fold(this.#replay, entry);
    if (what !== undefined) this.#flaw = { seq: entry.seq, what };
    return what === undefined;
  }

  /** The reader of the entries calls this when reading itself fails. */
  fail(what: string): void {
    this.#flaw ??= { seq: this.#head.seq + 1, what };
  }

  verdict(): StreamVerdict {
    const common = { ref: this.#ref, head: this.#head };
    if (this.#flaw) return { ok: false, ...common, flaw: this.#flaw };
    if (!this.#replay || this.#state === undefined)
      return { ok: false, ...common, flaw: { what: 'the stream has no entries' } };
    return {
      ok: true,
      ...common,
      listing: this.#replay.decider.listing(this.#state),
      dues: this.#dues(this.#replay.decider.due(this.#state)),
      involved: [...this.#involved.values()],
      ...this.#replay.receiptPart?.(this.#state, this.#codec),
    };
  }

  /** A due time in a row may lag. A row without one never lags: it means that nothing is due. */
  #dues(due: number | undefined): ReadonlySet<number | null> {
    return due === undefined ? new Set([null]) : new Set([...this.#pastDues, due]);
  }

  #entryFlaw(entry: Entry): string | undefined {
    if (streamKey(entry.stream) !== streamKey(this.#ref)) return 'the entry belongs to another stream';
    const broken = chainFlaw(this.#codec, this.#head, entry);
    if (broken) return broken;
    if (entry.salt.length !== SALT_BYTES) return `salt has ${entry.salt.length} bytes, not ${SALT_BYTES}`;
    const payload = payloadFlaw(this.#codec, entry);
    if (payload) return payload;
    if (canonicalJson(entry.facts) !== entry.factsText) return 'facts are not canonical JSON';
    if (this.#ids.has(entry.messageId)) return 'message_id stands twice in the stream';
    this.#ids.add(entry.messageId);
    return undefined;
  }

  #fold(replay: AnyReplay, entry: Entry): string | undefined {
    try {
      const flaw = replayFlaw(replay, this.#state, this.#head, entry, this.#codec);
      if (flaw !== undefined) return flaw;
      this.#state = replay.decider.evolve(this.#state, entry);
      const due = replay.dueMayLag ? replay.decider.due(this.#state) : undefined;
      if (due !== undefined) this.#pastDues.add(due);
      for (const involved of replay.decider.involved(this.#state, entry))
        this.#involved.set(`${involved.role}\n${involved.agent}`, involved);
    } catch (thrown) {
      return `it cannot be read: ${HandoverError.from(thrown).shortMessage}`;
    }
    this.#head = headOf(entry);
    return undefined;
  }
}

/** Audits a stream that is given whole. */
export function verifyStream(ref: StreamRef, entries: Iterable<Entry>, codec: Codec): StreamVerdict {
  const audit = new StreamAudit(ref, codec);
  for (const entry of entries) if (!audit.add(entry)) break;
  return audit.verdict();
}
