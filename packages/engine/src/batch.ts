/**
 * Deciding a batch: pure and synchronous, in arrival order, each command seeing the entries of those before it.
 *
 * B1. A stream that is due is ticked before any command of it is decided; what the tick appends stays, whatever the
 *     command's fate.
 * B2. A command's steps take effect together or not at all.
 * B3. Nothing here changes what is in the cache; the outcome is laid beside it and put in place when it is durable.
 */
import {
  type ChainHead,
  canonicalJson,
  type DecideContext,
  type Draft,
  type Entry,
  headOf,
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
}

const SALT_BYTES = 16;

export class Batch {
  readonly #env: Env;
  readonly #now: number;
  readonly #seen: CommitInput['seen'];
  readonly #streams: ReadonlyMap<string, CachedStream>;
  readonly #draughts = new Map<string, Draught>();
  /** Entries of this batch by id: the store cannot know them yet. */
  readonly #fresh = new Map<string, SeenMessage>();

  constructor(env: Env, streams: ReadonlyMap<string, CachedStream>, seen: CommitInput['seen']) {
    this.#env = env;
    this.#now = env.now();
    this.#streams = streams;
    this.#seen = seen;
  }

  decide(submission: Submission): Answer {
    for (const ref of submission.touch ?? []) this.#tick(this.#draught(ref));
    for (const { stream } of submission.steps) this.#tick(this.#draught(stream));
    const context = this.#context(submission);
    const before = this.#remember(submission);
    const results: StepResult[] = [];
    for (const [index, step] of submission.steps.entries()) {
      const outcome = this.#step(submission.agent, step, context);
      if ('code' in outcome) {
        this.#restore(before);
        return { ok: false, rejection: outcome, step: index };
      }
      results.push(outcome);
    }
    return { ok: true, results };
  }

  /** What is to be appended, one item per stream that changed. */
  appends(): readonly StreamAppend[] {
    const appends: StreamAppend[] = [];
    for (const { base, state, entries, involved } of this.#draughts.values()) {
      if (entries.length === 0) continue;
      const append = { stream: base.ref, entries, involved };
      if (!base.decider.listingChanged(base.state, state)) appends.push(append);
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

  #step(agent: string, step: Submission['steps'][number], context: DecideContext): StepResult | Rejection {
    const draught = this.#draught(step.stream);
    const seen = step.messageId === undefined ? undefined : this.#find(draught.base.key, step.messageId);
    const stamp = {
      at: Math.max(this.#now, draught.head.at),
      seq: draught.head.seq + 1,
      agent,
      ...(seen && { seen }),
    };
    const decision = draught.base.decider.decide(draught.state, step.command, stamp, context);
    if (decision.kind === 'rejected') return decision.rejection;
    if (decision.kind === 'duplicate') return { decision, entries: [], state: draught.state };
    const entries = decision.drafts.map((draft) => this.#append(draught, draft));
    return { decision, entries, state: draught.state };
  }

  #find(key: string, messageId: string): SeenMessage | undefined {
    const id = seenKey(key, messageId);
    return this.#fresh.get(id) ?? this.#seen.get(id);
  }

  #tick(draught: Draught): void {
    if (draught.state === undefined) return;
    const { decider } = draught.base;
    const context: DecideContext = { codec: this.#env.codec, consulted: {} };
    for (;;) {
      const due = decider.due(draught.state);
      if (due === undefined || due > Math.max(this.#now, draught.head.at)) return;
      this.#append(draught, decider.tick(draught.state, context));
    }
  }

  #append(draught: Draught, draft: Draft): Entry {
    const { base, head } = draught;
    const entry = seal(this.#env.codec, base.ref, head, draft, this.#now, this.#env.random(SALT_BYTES));
    draught.state = base.decider.evolve(draught.state, entry);
    draught.head = headOf(entry);
    draught.entries.push(entry);
    const involved = base.decider.involved(draught.state, entry);
    if (involved.length > 0) draught.involved.push(...involved);
    this.#fresh.set(seenKey(base.key, entry.messageId), entry);
    return entry;
  }

  #draught(ref: StreamRef): Draught {
    const key = streamKey(ref);
    let draught = this.#draughts.get(key);
    if (!draught) {
      const base = this.#streams.get(key);
      if (!base) throw new Error(`stream ${key} is not part of this batch`);
      draught = { base, state: base.state, head: base.head, entries: [], involved: [] };
      this.#draughts.set(key, draught);
    }
    return draught;
  }

  #context({ consult }: Submission): DecideContext {
    const consulted: Record<string, unknown> = {};
    for (const ref of consult ?? []) consulted[ref.kind] = this.#draught(ref).state;
    return { codec: this.#env.codec, consulted };
  }

  /** Only a submission of several steps can be half done when one of them is refused. */
  #remember({ steps }: Submission): Map<Draught, Draught> | undefined {
    if (steps.length < 2) return undefined;
    const copies = new Map<Draught, Draught>();
    for (const { stream } of steps) {
      const draught = this.#draught(stream);
      copies.set(draught, { ...draught, entries: [...draught.entries], involved: [...draught.involved] });
    }
    return copies;
  }

  #restore(copies: Map<Draught, Draught> | undefined): void {
    for (const [draught, copy] of copies ?? []) {
      for (const entry of draught.entries.slice(copy.entries.length))
        this.#fresh.delete(seenKey(draught.base.key, entry.messageId));
      Object.assign(draught, copy);
    }
  }
}
