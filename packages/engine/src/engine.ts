/**
 * The engine: one loop behind every door.
 *
 *   queue -> decide a batch -> append -> answer -> publish
 *
 * E1. A batch is decided when it starts, in arrival order; while it is being stored, commands queue. Each is decided as of the
 *     time at which it came: who answers in time is not late because others kept the server busy.
 * E2. Answers of a batch (accepts, duplicates and rejections alike) leave only when it is durable.
 * E3. Nothing is published before it is durable, and answers go out before the publishing.
 * E4. The queue is bounded in count and bytes; beyond that a command is refused before it is decided.
 * E5. An unknown outcome is never an answer: the commands of that batch fail with UNKNOWN_OUTCOME and the engine stops. On
 *     a store that other nodes write to it goes on: there every batch learns anew from the store what is in it.
 * E6. There is no speculative state: reads see what is durable. Where other nodes write they see what anybody was told.
 *
 * Callers get the types of the kind of stream that they ask for. The loop itself handles all kinds alike, so four methods
 * have a second, untyped signature. This is safe because an answer always belongs to the stream that was asked for.
 */
import {
  type ChainHead,
  type Entry,
  type EntryHead,
  FaultCode,
  HandoverError,
  type StateOf,
  type StreamKind,
  type StreamRef,
  streamKey,
} from '@handover/core';
import { Batch } from './batch.js';
import { isUnreadableCursor } from './cursor.js';
import { DueTimers } from './due-timers.js';
import { DEFAULT_LIMITS, type EngineLimits, type Env } from './env.js';
import { Feed, type FeedFollower } from './feed.js';
import {
  hasCompanions,
  holdLoaded,
  holdNewCompanions,
  holdPresent,
  lacksCompanions,
} from './held-streams.js';
import { News } from './news.js';
import { Poison } from './poison.js';
import { type Arrival, Queue, Queued } from './queue.js';
import type {
  AskedMessage,
  CommitInput,
  CommitOutcome,
  CommitRequest,
  CountQuery,
  Cursor,
  ListedStream,
  ListQuery,
  StreamAppend,
  UsageQuery,
} from './store.js';
import { type CachedStream, StreamCache } from './stream-cache.js';
import type { Answer, AnyState, Deciders, Kinds, Submission } from './submission.js';
import { type Subscription, Subscriptions } from './subscription.js';

/** How often a command passes over when a stream is busy, and how often a batch is decided again for the same conflict. */
const MAX_TRIES = 3;

/** What was tried of a batch already. */
interface Tried {
  /** Conflicts that named nothing new. */
  readonly conflicts: number;
  /** Streams that conflicts have named. */
  readonly named: ReadonlySet<string>;
  /** It was tried again after the way to the store was lost. */
  readonly again: boolean;
}

const NO_KEYS: ReadonlySet<string> = new Set();
const NOT_TRIED: Tried = { conflicts: 0, named: new Set(), again: false };

/** The current state and head of a stream, for readers that do not need its entries. */
interface Found<K extends StreamKind = StreamKind> {
  readonly state: StateOf<K>;
  readonly seq: number;
  readonly head: ChainHead;
}

export class Engine {
  readonly #env: Env;
  readonly #limits: EngineLimits;
  readonly #cache: StreamCache;
  readonly #subscriptions: Subscriptions;
  readonly #feed: Feed;
  readonly #news: News;
  readonly #timers: DueTimers;
  readonly #queue: Queue;
  #running: Promise<void> | undefined;
  #arrivals = 0;
  #publishing: Promise<void> = Promise.resolve();
  #stopped: HandoverError | undefined;
  readonly #watchers = new Set<(appends: readonly StreamAppend[]) => void>();

  constructor(env: Env, deciders: Deciders, limits: Partial<EngineLimits> = {}) {
    this.#env = env;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#cache = new StreamCache(env, deciders, this.#limits.cachedStreams);
    this.#news = new News(env.store.shared, (streams) => {
      this.#feed.moved();
      void this.#subscriptions.moved(streams);
    });
    this.#subscriptions = new Subscriptions(env, this.#limits, this.#news);
    this.#feed = new Feed(env, this.#limits, this.#news);
    this.#queue = new Queue(this.#limits);
    this.#timers = new DueTimers(env, this.#limits.sweepMs, (ref) => this.#touch(ref, true));
  }

  /** Begins to tick the streams that fell due while the server was not running. Nothing waits for it. */
  start(): void {
    this.#timers.start();
  }

  /** Ticks all due streams. For callers that count over many streams: a list shows each stream as of its last tick. */
  catchUp(): Promise<void> {
    return this.#timers.catchUp();
  }

  /** Commands that were submitted and have no answer yet. */
  get depth(): number {
    return this.#queue.depth;
  }

  /** Their size. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  get subscribers(): number {
    return this.#subscriptions.count;
  }

  /** Followers of the feed. Each is woken for every batch that is stored. */
  get followers(): number {
    return this.#feed.followers;
  }

  get stopped(): HandoverError | undefined {
    return this.#stopped;
  }

  /** Decides and stores; resolves when the answer is durable. Rejects with a fault when there is no answer. */
  submit<const Ks extends Kinds>(submission: Submission<Ks>): Promise<Answer<Ks>>;
  submit(submission: Submission): Promise<Answer> {
    const refusal = this.#stopped ?? this.#queue.admit(submission);
    if (refusal) return Promise.reject(refusal);
    const arrival = { order: this.#arrivals++, at: this.#env.now() };
    const streams = holdPresent(this.#cache, submission);
    const answer = streams
      ? this.#enqueue(submission, arrival, streams)
      : holdLoaded(this.#cache, submission).then((loaded) => this.#enqueue(submission, arrival, loaded));
    return answer.finally(() => this.#queue.leave(submission));
  }

  /**
   * The stream's state and head, up to date with the clock; undefined when there is no such stream. `atLeast`: the caller
   * knows of an entry and needs none after it, so that a stream in memory which has it will do.
   */
  query<K extends StreamKind>(ref: StreamRef<K>, atLeast?: number): Promise<Found<K> | undefined>;
  async query(ref: StreamRef, atLeast?: number): Promise<Found | undefined> {
    const { state, head } = await this.#current(ref, atLeast);
    return state === undefined ? undefined : { state, seq: head.seq, head };
  }

  /**
   * Follows a stream from after a sequence. `authorize` sees the state before the subscription is opened. If it returns
   * a refusal, the caller gets that refusal and no subscription.
   */
  subscribe<K extends StreamKind, Refusal>(
    ref: StreamRef<K>,
    after: (state: StateOf<K> | undefined) => number,
    authorize: (state: StateOf<K> | undefined) => Refusal | undefined,
    onLagged?: (fault: HandoverError) => void,
  ): Promise<{ readonly subscription: Subscription } | { readonly refusal: Refusal }>;
  async subscribe<Refusal>(
    ref: StreamRef,
    after: (state: AnyState | undefined) => number,
    authorize: (state: AnyState | undefined) => Refusal | undefined,
    onLagged?: (fault: HandoverError) => void,
  ): Promise<{ readonly subscription: Subscription } | { readonly refusal: Refusal }> {
    // Listen first: what another node stores after the head was read is told.
    this.#news.hold();
    try {
      const stream = await this.#current(ref);
      const refusal = authorize(stream.state);
      if (refusal !== undefined) return { refusal };
      // A sequence past the end counts as the end, so that the next entry is delivered.
      const from = Math.min(after(stream.state), stream.head.seq);
      return { subscription: this.#subscriptions.open(ref, stream.head.seq, from, onLagged) };
    } finally {
      this.#news.release();
    }
  }

  /**
   * Tells what this engine stores, at once and before it answers: for what must know a write as soon as its writer does. It
   * must be quick. What another process writes to the same store is not told; the feed has all. Returns what ends it.
   */
  watch(told: (appends: readonly StreamAppend[]) => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  /** A cursor that was kept outside this process goes through `locate` first. */
  follow(after: Cursor): FeedFollower {
    return this.#feed.follow(after);
  }

  /** The cursor from which to follow everything that is stored from now on. */
  position(): Promise<Cursor> {
    return this.#env.store.position();
  }

  /** Whether anything comes after a cursor, and how much: see `Store.behind`. */
  behind(of: Cursor): Promise<number> {
    return this.#env.store.behind(of);
  }

  /**
   * Finds where a cursor that was kept outside stands in this log. A cursor past the end belongs to another log, or to
   * this one before a restore: it becomes the end, so that its follower gets what is stored next. Undefined: the store
   * cannot read it.
   */
  async locate(kept: Cursor): Promise<{ readonly at: Cursor; readonly behind: number } | undefined> {
    // Read the end first: an end that is read later could lie after entries that the follower has not seen.
    const end = await this.position();
    try {
      const behind = await this.behind(kept);
      return { at: behind === 0 ? end : kept, behind };
    } catch (thrown) {
      if (isUnreadableCursor(thrown)) return undefined;
      throw thrown;
    }
  }

  list<K extends StreamKind>(query: ListQuery<K>): Promise<readonly ListedStream<K>[]>;
  list(query: ListQuery): Promise<readonly ListedStream[]> {
    return this.#env.store.list(query);
  }

  count(query: CountQuery): Promise<number> {
    return this.#env.store.count(query);
  }

  /** How many bytes of payload are stored. */
  usage(query: UsageQuery): Promise<number> {
    return this.#env.store.usage(query);
  }

  /** Finishes what is queued, ends subscriptions; the store stays open. */
  async close(): Promise<void> {
    this.#stopped ??= new HandoverError(FaultCode.SHUTTING_DOWN, 'the server is shutting down', {
      next: 'retryable',
    });
    this.#timers.close();
    await this.#running;
    await this.#publishing;
    this.#subscriptions.closeAll();
    this.#feed.closeAll();
  }

  #enqueue(submission: Submission, arrival: Arrival, streams: CachedStream[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#queue.push(new Queued(submission, arrival, streams, resolve, reject));
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    // Wait for the other commands that arrive in this turn: they share one append.
    await Promise.resolve();
    while (!this.#queue.isEmpty) {
      const batch = this.#queue.takeBatch();
      try {
        await this.#process(batch, NOT_TRIED);
      } catch (thrown) {
        const fault = HandoverError.from(thrown);
        if (this.#survives(fault)) this.#lost(fault, batch);
        else this.#failStop(fault, batch);
      }
    }
    this.#running = undefined;
  }

  async #process(taken: readonly Queued[], tried: Tried): Promise<void> {
    const started = this.#env.now();
    const queued = await this.#loadable(taken, (item) => this.#holdCompanions(item));
    if (queued.length === 0) return;
    const streams = streamsOf(queued);
    let batch: Batch | undefined;
    let appends: readonly StreamAppend[] = [];
    const answers: (readonly [Queued, Answer])[] = [];
    const postponed: Queued[] = [];
    const asked = this.#env.now();
    const decide = (input: CommitInput): readonly StreamAppend[] => {
      for (const [key, tail] of input.tails) this.#advance(streams.get(key), tail, queued);
      const now = this.#env.now();
      // The store read its clock after it was asked: a wait that counts further would date a command before it came.
      const until = input.now === undefined ? now : asked;
      batch = new Batch(this.#env, streams, { seen: input.seen, now: input.now ?? now });
      for (const item of queued) {
        if (item.streams.some(({ key }) => input.skipped.has(key))) {
          item.skips++;
          postponed.push(item);
        }
        // Only what another node wrote can have brought companions since the batch was taken.
        else if (input.tails.size > 0 && lacksCompanions(item, streams)) postponed.push(item);
        else
          try {
            answers.push([item, batch.decide(item.submission, Math.max(0, until - item.arrival.at))]);
          } catch (thrown) {
            throw new Poison([item], thrown);
          }
      }
      appends = batch.appends();
      return appends;
    };
    const outcome = await this.#env.store
      .commit(this.#request(queued, streams), decide)
      .catch((thrown: unknown) => {
        if (thrown instanceof Poison) return thrown;
        throw thrown;
      });
    if (outcome instanceof Poison) return this.#poisoned(outcome, queued, tried);
    if (outcome.kind === 'conflict') return this.#conflict(queued, streams, outcome.streams, tried);
    if (outcome.kind === 'notStored' && outcome.again && !tried.again)
      return this.#process(queued, { ...tried, again: true });
    if (outcome.kind === 'notStored') return this.#notStored(queued, outcome.reason);
    batch?.install();
    this.#tellWatchers(appends);
    for (const [item, answer] of answers) item.answer(answer);
    this.#postpone(postponed);
    this.#afterwards(appends, outcome, answers.length, this.#env.now() - started);
  }

  /** Loads what each command still needs. One whose streams cannot be loaded fails alone. */
  async #loadable(
    queued: readonly Queued[],
    load: (item: Queued) => Promise<void> | undefined,
  ): Promise<readonly Queued[]> {
    const failed = new Set<Queued>();
    for (const item of queued) {
      try {
        // Almost always there is nothing to load, and nothing to wait for.
        const loading = load(item);
        if (loading) await loading;
      } catch (thrown) {
        failed.add(item);
        this.#fail(item, thrown);
      }
    }
    return failed.size === 0 ? queued : queued.filter((item) => !failed.has(item));
  }

  #holdCompanions({ streams }: Queued): Promise<void> | undefined {
    return streams.some(hasCompanions) ? holdNewCompanions(this.#cache, streams) : undefined;
  }

  #request(queued: readonly Queued[], streams: ReadonlyMap<string, CachedStream>): CommitRequest {
    const shared = this.#env.store.shared !== undefined;
    const messageIds: AskedMessage[] = [];
    for (const { submission } of queued)
      for (const { stream, messageId } of submission.steps) {
        if (messageId === undefined) continue;
        if (streams.get(streamKey(stream))?.recent.mayContain(messageId))
          messageIds.push({ stream, messageId, ask: 'always' });
        // Another node may have used it since.
        else if (shared) messageIds.push({ stream, messageId, ask: 'ifMoved' });
      }
    const onlyRead = shared ? onlyConsulted(queued) : NO_KEYS;
    const waitFor = shared ? busyTooOften(queued) : NO_KEYS;
    return {
      streams: [...streams.values()].map(({ ref, key, head }) => ({
        ref,
        known: head,
        access: onlyRead.has(key) ? 'read' : 'write',
        ...(waitFor.has(key) && { wait: true }),
      })),
      messageIds,
    };
  }

  /** Takes in what another node wrote. A flaw in it fails the commands that need this stream, and no other. */
  #advance(stream: CachedStream | undefined, tail: readonly EntryHead[], queued: readonly Queued[]): void {
    if (!stream) return;
    try {
      this.#cache.advance(stream, tail);
    } catch (thrown) {
      const holders = queued.filter(({ streams }) => streams.some(({ key }) => key === stream.key));
      throw new Poison(holders, thrown);
    }
  }

  #notStored(queued: readonly Queued[], reason: string): void {
    this.#env.log.error('batch.not_stored', { commands: queued.length, reason });
    const fault = new HandoverError(FaultCode.NOT_STORED, `nothing was stored: ${reason}`, {
      next: 'retryable',
    });
    for (const item of queued) item.fail(fault);
  }

  /**
   * Somebody else wrote: drops these streams from the cache and decides again from what is stored. A conflict that names
   * streams which no conflict has named before is progress, and does not count.
   */
  async #conflict(
    queued: readonly Queued[],
    streams: ReadonlyMap<string, CachedStream>,
    names: readonly string[],
    tried: Tried,
  ): Promise<void> {
    for (const key of names.length > 0 ? names : streams.keys()) this.#cache.drop(key);
    const isProgress = names.some((key) => !tried.named.has(key));
    const conflicts = tried.conflicts + (isProgress ? 0 : 1);
    if (conflicts === MAX_TRIES)
      return this.#notStored(queued, 'the streams were being written by another node');
    const loaded = await this.#loadable(queued, async (item) => {
      item.release();
      item.streams = await holdLoaded(this.#cache, item.submission);
    });
    return this.#process(loaded, { ...tried, conflicts, named: new Set([...tried.named, ...names]) });
  }

  /** Fails only the commands that cannot be decided. Nothing of the batch was stored; the others are decided again. */
  #poisoned({ items, thrown }: Poison, queued: readonly Queued[], tried: Tried): Promise<void> {
    for (const item of items) this.#fail(item, thrown);
    return this.#process(
      queued.filter((item) => !items.includes(item)),
      tried,
    );
  }

  #fail(item: Queued, thrown: unknown): void {
    const fault = HandoverError.from(thrown);
    this.#env.log.error('command.failed', {
      code: fault.code,
      message: fault.shortMessage,
      cause: String(fault.cause ?? ''),
    });
    item.fail(fault);
  }

  /** Puts commands back in front, in their order; those whose stream was waited for in vain fail. */
  #postpone(items: readonly Queued[]): void {
    for (const item of items.toReversed()) {
      if (item.skips > MAX_TRIES) item.fail(busyElsewhere());
      else this.#queue.unshift(item);
    }
  }

  #afterwards(
    appends: readonly StreamAppend[],
    { at }: Extract<CommitOutcome, { kind: 'stored' }>,
    commands: number,
    durationMs: number,
  ): void {
    const entries =
      appends.length === 1 ? (appends[0]?.entries ?? []) : appends.flatMap((append) => append.entries);
    for (const { stream, row } of appends) if (row) this.#timers.note(stream, row.due);
    this.#env.observe?.batchStored?.(commands, entries.length, durationMs);
    if (entries.length === 0) return;
    this.#publishing = this.#publishing.then(async () => {
      // The doors' answers are on their way as microtasks; this lets them leave first.
      await this.#env.sleep(0).done;
      this.#feed.publish(entries, at);
      this.#tellObserver(entries);
      await this.#subscriptions.publish(entries);
    });
  }

  /** An error of a watcher must not fail a batch that is stored. */
  #tellWatchers(appends: readonly StreamAppend[]): void {
    for (const told of this.#watchers)
      try {
        told(appends);
      } catch (thrown) {
        this.#env.log.error('watcher.failed', { message: HandoverError.from(thrown).shortMessage });
      }
  }

  /** An error of the observer must not end the publishing: the entries are stored. */
  #tellObserver(entries: readonly Entry[]): void {
    const observe = this.#env.observe?.entryStored;
    if (!observe) return;
    try {
      for (const entry of entries) observe(entry);
    } catch (thrown) {
      this.#env.log.error('observer.failed', { message: HandoverError.from(thrown).shortMessage });
    }
  }

  /** After an unknown outcome the state in memory cannot be trusted: all waiting commands fail with it, too. */
  #failStop(fault: HandoverError, batch: readonly Queued[]): void {
    const unknown =
      fault.code === FaultCode.UNKNOWN_OUTCOME
        ? fault
        : new HandoverError(
            FaultCode.UNKNOWN_OUTCOME,
            'the outcome is unknown; retry with the same message_id',
            {
              next: 'fatal',
              cause: fault,
            },
          );
    this.#stopped = unknown;
    this.#env.log.error('engine.stopped', { code: fault.code, message: fault.shortMessage });
    for (const item of batch) item.fail(unknown);
    for (const item of this.#queue.takeAll()) item.fail(unknown);
  }

  /** Where other nodes write, an unknown outcome is one of this batch only: the next one learns what is stored (S5). */
  #survives({ code, next }: HandoverError): boolean {
    return this.#env.store.shared !== undefined && code === FaultCode.UNKNOWN_OUTCOME && next === 'retryable';
  }

  #lost(fault: HandoverError, batch: readonly Queued[]): void {
    this.#env.log.error('batch.unknown', { commands: batch.length, message: fault.shortMessage });
    for (const item of batch) {
      for (const { key } of item.streams) this.#cache.drop(key);
      item.fail(fault);
    }
  }

  async #current(ref: StreamRef, atLeast?: number): Promise<CachedStream> {
    if (this.#stopped && this.#stopped.code !== FaultCode.SHUTTING_DOWN) throw this.#stopped;
    const stream = await this.#cache.fresh(ref, atLeast);
    if (stream.state === undefined) return stream;
    const due = stream.decider.due(stream.state);
    if (due === undefined || due > (this.#env.store.shared?.now() ?? this.#env.now())) return stream;
    await this.#touch(ref);
    // Touching has brought it up to date.
    return this.#cache.load(ref);
  }

  async #touch(ref: StreamRef, refreshRows = false): Promise<void> {
    await this.submit({ agent: '', steps: [], touch: [ref], refreshRows, bytes: 0 });
  }
}

function busyElsewhere(): HandoverError {
  return new HandoverError(
    FaultCode.OVERLOADED,
    'the stream is being written by another node; retry with the same message_id',
    { next: 'retryable' },
  );
}

/** Streams that all commands of a batch read, and none writes. */
function onlyConsulted(queued: readonly Queued[]): ReadonlySet<string> {
  const read = new Set<string>();
  for (const { submission } of queued) for (const ref of submission.consult ?? []) read.add(streamKey(ref));
  if (read.size === 0) return NO_KEYS;
  for (const { submission } of queued) {
    for (const { stream } of submission.steps) read.delete(streamKey(stream));
    for (const ref of submission.touch ?? []) read.delete(streamKey(ref));
  }
  return read;
}

/** Streams for which a command has passed over as often as it may. */
function busyTooOften(queued: readonly Queued[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { skips, streams } of queued)
    if (skips >= MAX_TRIES) for (const { key } of streams) keys.add(key);
  return keys;
}

function streamsOf(queued: readonly Queued[]): Map<string, CachedStream> {
  const streams = new Map<string, CachedStream>();
  for (const { streams: held } of queued) for (const stream of held) streams.set(stream.key, stream);
  return streams;
}
