/**
 * Decides a batch synchronously, in arrival order and without I/O. Each command sees the entries of the commands before
 * it.
 *
 * B1. A stream that is due is ticked before any command of it is decided, and again after it. The entries of a tick
 *     before the command stay, even if the command is rejected.
 * B2. The steps of a command and their reactions in companion streams take effect together or not at all.
 * B3. Deciding does not change the cache. The outcome is kept in pending streams; `install` moves it into the cache
 *     when it is durable.
 */
import {
  type ChainHead,
  type CommandOf,
  type Consulted,
  canonicalJson,
  type Draft,
  type Entry,
  headOf,
  type Reaction,
  type Rejection,
  type SeenMessage,
  type Step,
  type StreamKind,
  type StreamRef,
  seal,
  streamKey,
} from '@handover/core';
import type { Env } from './env.js';
import { type CommitInput, type Involvement, type StreamAppend, seenKey } from './store.js';
import type { CachedStream } from './stream-cache.js';
import type { Answer, AnyState, StepResult, Submission } from './submission.js';

/** A stream as it will be if this batch is stored. */
interface PendingStream {
  readonly base: CachedStream;
  state: AnyState | undefined;
  head: ChainHead;
  entries: Entry[];
  involved: Involvement[];
  /** Write its row even if nothing was appended. */
  refreshRow: boolean;
}

type StatesByKind = { [K in StreamKind]?: Consulted[StreamKind] };

const SALT_BYTES = 16;
const NOTHING: Consulted = {};
const NO_REACTIONS: readonly Reaction[] = [];

export class Batch {
  readonly #env: Env;
  /** The time of the batch. */
  readonly #decided: number;
  /** The time of the command that is being decided. */
  #now: number;
  readonly #seen: CommitInput['seen'];
  readonly #streams: ReadonlyMap<string, CachedStream>;
  readonly #pending = new Map<string, PendingStream>();
  /** Entries of this batch by message id: the store does not have them yet. */
  readonly #fresh = new Map<string, SeenMessage>();
  /** The streams that the current submission changed, as they were before. Kept only when it can fail halfway. */
  #undo: Map<PendingStream, PendingStream> | undefined;

  constructor(
    env: Env,
    streams: ReadonlyMap<string, CachedStream>,
    { seen, now }: { readonly seen: CommitInput['seen']; readonly now: number },
  ) {
    this.#env = env;
    this.#decided = now;
    this.#now = now;
    this.#streams = streams;
    this.#seen = seen;
  }

  /** `waited`: how long ago the command came. The store's clock may be another than the one that measured this. */
  decide(submission: Submission, waited: number): Answer {
    const { steps, touch, refreshRows } = submission;
    this.#now = this.#decided - waited;
    for (const ref of touch ?? []) this.#touch(this.#pendingStream(ref), refreshRows === true);
    for (const { stream } of steps) this.#tick(this.#pendingStream(stream));
    const consulted = this.#consulted(submission);
    this.#undo = steps.length > 1 ? new Map() : undefined;
    const results: StepResult[] = [];
    for (const [index, step] of steps.entries()) {
      const outcome = this.#step(submission, step, consulted);
      if ('code' in outcome) {
        this.#restore();
        return { ok: false, rejection: outcome, step: index };
      }
      results.push(outcome);
    }
    return { ok: true, results };
  }

  /** What is to be appended, one item per stream that changed. */
  appends(): readonly StreamAppend[] {
    const appends: StreamAppend[] = [];
    for (const { base, state, entries, involved, refreshRow } of this.#pending.values()) {
      if (state === undefined || (entries.length === 0 && !refreshRow)) continue;
      const append = { stream: base.ref, entries, involved };
      if (!refreshRow && !base.decider.listingChanged(base.state, state)) appends.push(append);
      else {
        const { state: word, createdAt, summary } = base.decider.listing(state);
        const row = {
          state: word,
          createdAt,
          due: base.decider.due(state) ?? null,
          summary: canonicalJson(summary),
        };
        appends.push({ ...append, row });
      }
    }
    return appends;
  }

  /** Moves the outcome into the cache: it is durable now. A reader may have folded it already, and more (K5). */
  install(): void {
    for (const { base, state, head, entries } of this.#pending.values()) {
      if (entries.length === 0 || head.seq <= base.head.seq) continue;
      base.state = state;
      base.head = head;
      for (const entry of entries) base.recent.add(entry.messageId, entry.seq);
    }
  }

  #step({ agent, refuseNew }: Submission, step: Step, consulted: Consulted): StepResult | Rejection {
    const pending = this.#pendingStream(step.stream);
    const { messageId } = step;
    const seen = messageId === undefined ? undefined : this.#find(pending.base.key, messageId);
    const stamp = {
      at: Math.max(this.#now, pending.head.at),
      seq: pending.head.seq + 1,
      agent,
      ...(messageId !== undefined && { messageId }),
      ...(seen && { seen }),
    };
    const context = { codec: this.#env.codec, consulted: this.#withCompanions(pending, consulted) };
    const decision = pending.base.decider.decide(pending.state, step.command, stamp, context);
    if (decision.kind === 'rejected') return decision.rejection;
    if (decision.kind === 'duplicate') return { decision, entries: [], state: pending.state };
    if (refuseNew && decision.drafts.length > 0) return refuseNew;
    const entries = decision.drafts.map((draft) => this.#append(pending, draft));
    this.#tick(pending);
    return { decision, entries, state: pending.state };
  }

  #find(key: string, messageId: string): SeenMessage | undefined {
    const id = seenKey(key, messageId);
    return this.#fresh.get(id) ?? this.#seen.get(id);
  }

  #touch(pending: PendingStream, refreshRow: boolean): void {
    this.#tick(pending);
    if (refreshRow && pending.state !== undefined) pending.refreshRow = true;
  }

  #tick(pending: PendingStream): void {
    if (pending.state === undefined) return;
    const { decider } = pending.base;
    for (;;) {
      const due = decider.due(pending.state);
      if (due === undefined || due > Math.max(this.#now, pending.head.at)) return;
      const context = { codec: this.#env.codec, consulted: this.#withCompanions(pending, NOTHING) };
      this.#append(pending, decider.tick(pending.state, context));
    }
  }

  #append(pending: PendingStream, draft: Draft): Entry {
    const { base, head } = pending;
    this.#save(pending);
    const entry = seal(this.#env.codec, base.ref, head, draft, this.#now, this.#env.random(SALT_BYTES));
    pending.state = base.decider.evolve(pending.state, entry);
    pending.head = headOf(entry);
    pending.entries.push(entry);
    const involved = base.decider.involved(pending.state, entry);
    if (involved.length > 0) pending.involved.push(...involved);
    this.#fresh.set(seenKey(base.key, entry.messageId), entry);
    for (const { stream, command } of base.decider.react?.(pending.state, entry) ?? NO_REACTIONS)
      this.#react(this.#pendingStream(stream), command, entry.actor);
    return entry;
  }

  #react(pending: PendingStream, command: CommandOf<StreamKind>, agent: string): void {
    const stamp = { at: Math.max(this.#now, pending.head.at), seq: pending.head.seq + 1, agent };
    const context = { codec: this.#env.codec, consulted: NOTHING };
    const decision = pending.base.decider.decide(pending.state, command, stamp, context);
    if (decision.kind === 'rejected')
      throw new Error(`a reaction was refused: ${decision.rejection.message}`);
    if (decision.kind === 'accepted') for (const draft of decision.drafts) this.#append(pending, draft);
  }

  #pendingStream(ref: StreamRef): PendingStream {
    const key = streamKey(ref);
    let pending = this.#pending.get(key);
    if (!pending) {
      const base = this.#streams.get(key);
      if (!base) throw new Error(`stream ${key} is not part of this batch`);
      pending = { base, state: base.state, head: base.head, entries: [], involved: [], refreshRow: false };
      this.#pending.set(key, pending);
    }
    return pending;
  }

  #consulted({ consult }: Submission): Consulted {
    if (!consult) return NOTHING;
    const consulted: StatesByKind = {};
    for (const ref of consult) consulted[ref.kind] = this.#pendingStream(ref).state;
    // Each state stands under the kind of the stream that it was read from.
    return consulted as Consulted;
  }

  /** Adds the states of a stream's companions to what its decider may consult. */
  #withCompanions({ base, state }: PendingStream, consulted: Consulted): Consulted {
    const companions = state === undefined ? undefined : base.decider.companions?.(state, base.ref);
    if (!companions || companions.length === 0) return consulted;
    const all: StatesByKind = { ...consulted };
    for (const ref of companions) all[ref.kind] = this.#pendingStream(ref).state;
    // As above: each state stands under its own kind.
    return all as Consulted;
  }

  #save(pending: PendingStream): void {
    if (this.#undo && !this.#undo.has(pending))
      this.#undo.set(pending, { ...pending, entries: [...pending.entries], involved: [...pending.involved] });
  }

  #restore(): void {
    for (const [pending, copy] of this.#undo ?? []) {
      for (const entry of pending.entries.slice(copy.entries.length))
        this.#fresh.delete(seenKey(pending.base.key, entry.messageId));
      Object.assign(pending, copy);
    }
  }
}
