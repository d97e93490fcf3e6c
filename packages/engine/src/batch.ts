/**
 * Deciding a batch: pure and synchronous, in arrival order, each command seeing the entries of those before it.
 *
 * B1. A stream that is due is ticked before any command of it is decided, and again after it; what a tick before the
 *     command appends stays, whatever the command's fate.
 * B2. A command's steps take effect together or not at all, and so does what they make happen in companion streams.
 * B3. Nothing here changes what is in the cache; the outcome is laid beside it and put in place when it is durable.
 */
import {
  type ChainHead,
  canonicalJson,
  type DecideContext,
  type Draft,
  type Entry,
  headOf,
  type Reaction,
  type Rejection,
  type SeenMessage,
  type StreamRef,
  seal,
  streamKey,
} from '@handover/core';
import type { Env } from './env.js';
import { type CommitInput, type Involvement, type StreamAppend, seenKey } from './store.js';
import type { CachedStream } from './stream-cache.js';
import type { Answer, StepResult, Submission } from './submission.js';

/** A stream as this batch has made it so far. */
interface Draught {
  readonly base: CachedStream;
  state: unknown;
  head: ChainHead;
  entries: Entry[];
  involved: Involvement[];
  /** Its row is to be written although nothing was appended. */
  refreshRow: boolean;
}

type Consulted = DecideContext['consulted'];

const SALT_BYTES = 16;
const NOTHING: Consulted = {};
const NO_REACTIONS: readonly Reaction[] = [];

export class Batch {
  readonly #env: Env;
  readonly #now: number;
  readonly #seen: CommitInput['seen'];
  readonly #streams: ReadonlyMap<string, CachedStream>;
  readonly #draughts = new Map<string, Draught>();
  /** Entries of this batch by id: the store cannot know them yet. */
  readonly #fresh = new Map<string, SeenMessage>();
  /** Streams as they were before the submission under way, once it has changed them; only kept when it can fail halfway. */
  #undo: Map<Draught, Draught> | undefined;

  constructor(env: Env, streams: ReadonlyMap<string, CachedStream>, seen: CommitInput['seen']) {
    this.#env = env;
    this.#now = env.now();
    this.#streams = streams;
    this.#seen = seen;
  }

  decide(submission: Submission): Answer {
    const { steps, touch, refreshRows } = submission;
    for (const ref of touch ?? []) this.#touch(this.#draught(ref), refreshRows === true);
    for (const { stream } of steps) this.#tick(this.#draught(stream));
    const consulted = this.#consulted(submission);
    this.#undo = steps.length > 1 ? new Map() : undefined;
    const results: StepResult[] = [];
    for (const [index, step] of steps.entries()) {
      const outcome = this.#step(submission.agent, step, consulted);
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
    for (const { base, state, entries, involved, refreshRow } of this.#draughts.values()) {
      if (entries.length === 0 && !refreshRow) continue;
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

  /** Puts what is now durable in place of what was. */
  install(): void {
    for (const { base, state, head, entries } of this.#draughts.values()) {
      if (entries.length === 0) continue;
      base.state = state;
      base.head = head;
      for (const entry of entries) base.recent.add(entry.messageId, entry.seq);
    }
  }

  #step(agent: string, step: Submission['steps'][number], consulted: Consulted): StepResult | Rejection {
    const draught = this.#draught(step.stream);
    const { messageId } = step;
    const seen = messageId === undefined ? undefined : this.#find(draught.base.key, messageId);
    const stamp = {
      at: Math.max(this.#now, draught.head.at),
      seq: draught.head.seq + 1,
      agent,
      ...(messageId !== undefined && { messageId }),
      ...(seen && { seen }),
    };
    const context = { codec: this.#env.codec, consulted: this.#withCompanions(draught, consulted) };
    const decision = draught.base.decider.decide(draught.state, step.command, stamp, context);
    if (decision.kind === 'rejected') return decision.rejection;
    if (decision.kind === 'duplicate') return { decision, entries: [], state: draught.state };
    const entries = decision.drafts.map((draft) => this.#append(draught, draft));
    this.#tick(draught);
    return { decision, entries, state: draught.state };
  }

  #find(key: string, messageId: string): SeenMessage | undefined {
    const id = seenKey(key, messageId);
    return this.#fresh.get(id) ?? this.#seen.get(id);
  }

  #touch(draught: Draught, refreshRow: boolean): void {
    this.#tick(draught);
    if (refreshRow && draught.state !== undefined) draught.refreshRow = true;
  }

  #tick(draught: Draught): void {
    if (draught.state === undefined) return;
    const { decider } = draught.base;
    for (;;) {
      const due = decider.due(draught.state);
      if (due === undefined || due > Math.max(this.#now, draught.head.at)) return;
      const context = { codec: this.#env.codec, consulted: this.#withCompanions(draught, NOTHING) };
      this.#append(draught, decider.tick(draught.state, context));
    }
  }

  #append(draught: Draught, draft: Draft): Entry {
    const { base, head } = draught;
    this.#save(draught);
    const entry = seal(this.#env.codec, base.ref, head, draft, this.#now, this.#env.random(SALT_BYTES));
    draught.state = base.decider.evolve(draught.state, entry);
    draught.head = headOf(entry);
    draught.entries.push(entry);
    const involved = base.decider.involved(draught.state, entry);
    if (involved.length > 0) draught.involved.push(...involved);
    this.#fresh.set(seenKey(base.key, entry.messageId), entry);
    for (const { stream, command } of base.decider.react?.(draught.state, entry) ?? NO_REACTIONS)
      this.#react(this.#draught(stream), command, entry.actor);
    return entry;
  }

  #react(draught: Draught, command: unknown, agent: string): void {
    const stamp = { at: Math.max(this.#now, draught.head.at), seq: draught.head.seq + 1, agent };
    const context = { codec: this.#env.codec, consulted: NOTHING };
    const decision = draught.base.decider.decide(draught.state, command, stamp, context);
    if (decision.kind === 'rejected')
      throw new Error(`a reaction was refused: ${decision.rejection.message}`);
    if (decision.kind === 'accepted') for (const draft of decision.drafts) this.#append(draught, draft);
  }

  #draught(ref: StreamRef): Draught {
    const key = streamKey(ref);
    let draught = this.#draughts.get(key);
    if (!draught) {
      const base = this.#streams.get(key);
      if (!base) throw new Error(`stream ${key} is not part of this batch`);
      draught = { base, state: base.state, head: base.head, entries: [], involved: [], refreshRow: false };
      this.#draughts.set(key, draught);
    }
    return draught;
  }

  #consulted({ consult }: Submission): Consulted {
    if (!consult) return NOTHING;
    const consulted: Record<string, unknown> = {};
    for (const ref of consult) consulted[ref.kind] = this.#draught(ref).state;
    return consulted;
  }

  /** What a stream is bound to is at hand when it is decided. */
  #withCompanions({ base, state }: Draught, consulted: Consulted): Consulted {
    const companions = state === undefined ? undefined : base.decider.companions?.(state, base.ref);
    if (!companions || companions.length === 0) return consulted;
    return {
      ...consulted,
      ...Object.fromEntries(companions.map((ref) => [ref.kind, this.#draught(ref).state])),
    };
  }

  #save(draught: Draught): void {
    if (this.#undo && !this.#undo.has(draught))
      this.#undo.set(draught, { ...draught, entries: [...draught.entries], involved: [...draught.involved] });
  }

  #restore(): void {
    for (const [draught, copy] of this.#undo ?? []) {
      for (const entry of draught.entries.slice(copy.entries.length))
        this.#fresh.delete(seenKey(draught.base.key, entry.messageId));
      Object.assign(draught, copy);
    }
  }
}
