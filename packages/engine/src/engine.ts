/**
 * The engine: one loop behind every door.
 *
 *   queue -> decide a batch -> append -> answer -> publish
 *
 * E1. A batch is decided when it starts, in arrival order; while it is being stored, commands queue.
 * E2. Answers of a batch (accepts, duplicates and rejections alike) leave only when it is durable.
 * E3. Nothing is published before it is durable, and answers go out before the publishing.
 * E4. The queue is bounded in count and bytes; beyond that a command is refused before it is decided.
 * E5. An unknown outcome is never an answer: the commands of that batch fail with UNKNOWN_OUTCOME and the engine stops.
 * E6. There is no speculative state: reads see what is durable.
 */
import { FaultCode, HandoverError, type StreamRef, streamKey } from '@handover/core';
import { Batch } from './batch.js';
import { DueTimers } from './due-timers.js';
import { DEFAULT_LIMITS, type EngineLimits, type Env } from './env.js';
import { Feed, type FeedFollower } from './feed.js';
import type {
  CommitInput,
  CommitOutcome,
  CommitRequest,
  CountQuery,
  ListedStream,
  ListQuery,
  StreamAppend,
} from './store.js';
import { applyEntry, type CachedStream, StreamCache } from './stream-cache.js';
import type { Answer, Deciders, Submission } from './submission.js';
import { type Subscription, Subscriptions } from './subscription.js';

interface Queued {
  readonly submission: Submission;
  readonly streams: readonly CachedStream[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: HandoverError) => void;
  skips: number;
}

/** How often a busy stream may send a command back to the queue, and a conflict a batch to its beginning. */
const MAX_TRIES = 3;

export class Engine {
  readonly #env: Env;
  readonly #limits: EngineLimits;
  readonly #cache: StreamCache;
  readonly #subscriptions: Subscriptions;
  readonly #feed: Feed;
  readonly #timers: DueTimers;
  #queue: Queued[] = [];
  #pending = 0;
  #pendingBytes = 0;
  #running: Promise<void> | undefined;
  #publishing: Promise<void> = Promise.resolve();
  #stopped: HandoverError | undefined;

  constructor(env: Env, deciders: Deciders, limits: Partial<EngineLimits> = {}) {
    this.#env = env;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#cache = new StreamCache(env, deciders, this.#limits.cachedStreams);
    this.#subscriptions = new Subscriptions(env, this.#limits);
    this.#feed = new Feed(env);
    this.#timers = new DueTimers(env, this.#limits.sweepMs, (ref) => this.#touch(ref));
  }

  /** Begins to bring up to date what fell due while nobody was running; nothing waits for it. */
  start(): void {
    this.#timers.start();
  }

  get depth(): number {
    return this.#pending;
  }

  get subscribers(): number {
    return this.#subscriptions.count;
  }

  get stopped(): HandoverError | undefined {
    return this.#stopped;
  }

  /** Decides and stores; resolves when the answer is durable. Rejects with a fault when there is no answer. */
  submit(submission: Submission): Promise<Answer> {
    const refusal = this.#refusal(submission.bytes);
    if (refusal) return Promise.reject(refusal);
    this.#pending++;
    this.#pendingBytes += submission.bytes;
    const streams = this.#present(submission);
    const answer = streams ? this.#enqueue(submission, streams) : this.#loadThenEnqueue(submission);
    return answer.finally(() => {
      this.#pending--;
      this.#pendingBytes -= submission.bytes;
    });
  }

  /** The stream's state and head, up to date with the clock; undefined when there is no such stream. */
  async query(ref: StreamRef): Promise<{ readonly state: unknown; readonly seq: number } | undefined> {
    const stream = await this.#current(ref);
    return stream.state === undefined ? undefined : { state: stream.state, seq: stream.head.seq };
  }

  /**
   * Follows a stream from after a sequence. `authorize` sees the state before anything is bound; what it returns is
   * refused with, otherwise the subscription is given.
   */
  async subscribe<Refusal>(
    ref: StreamRef,
    after: number,
    authorize: (state: unknown) => Refusal | undefined,
    onLagged?: (fault: HandoverError) => void,
  ): Promise<{ readonly subscription: Subscription } | { readonly refusal: Refusal }> {
    const stream = await this.#current(ref);
    const refusal = authorize(stream.state);
    if (refusal !== undefined) return { refusal };
    // A place past the end is the end: what comes next is delivered.
    const from = Math.min(after, stream.head.seq);
    return { subscription: this.#subscriptions.open(ref, stream.head.seq, from, onLagged) };
  }

  follow(afterPos: number): FeedFollower {
    return this.#feed.follow(afterPos);
  }

  /** The position from which to follow everything that is stored from now on. */
  position(): Promise<number> {
    return this.#env.store.position();
  }

  list(query: ListQuery): Promise<readonly ListedStream[]> {
    return this.#env.store.list(query);
  }

  count(query: CountQuery): Promise<number> {
    return this.#env.store.count(query);
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

  #refusal(bytes: number): HandoverError | undefined {
    if (this.#stopped) return this.#stopped;
    if (this.#pending < this.#limits.queueCommands && this.#pendingBytes + bytes <= this.#limits.queueBytes)
      return undefined;
    return new HandoverError(FaultCode.OVERLOADED, 'the server is busy; retry with the same message_id', {
      next: 'retryable',
    });
  }

  /** All streams of a submission when they are in memory, pinned; the usual case, without a promise in between. */
  #present(submission: Submission): CachedStream[] | undefined {
    const streams: CachedStream[] = [];
    for (const ref of refsOf(submission)) {
      const stream = this.#cache.peek(streamKey(ref));
      if (!stream) return undefined;
      streams.push(stream);
    }
    for (const stream of streams) stream.pins++;
    return streams;
  }

  async #loadThenEnqueue(submission: Submission): Promise<Answer> {
    const streams: CachedStream[] = [];
    try {
      for (const ref of refsOf(submission)) {
        const stream = await this.#cache.load(ref);
        stream.pins++;
        streams.push(stream);
      }
    } catch (thrown) {
      for (const stream of streams) stream.pins--;
      throw HandoverError.from(thrown);
    }
    return this.#enqueue(submission, streams);
  }

  #enqueue(submission: Submission, streams: readonly CachedStream[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ submission, streams, resolve, reject, skips: 0 });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    // Let the commands that are arriving in this turn come together: they share one append.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      this.#env.observe?.queueDepth?.(this.#pending);
      const batch = this.#take();
      try {
        await this.#process(batch, 1);
      } catch (thrown) {
        this.#failStop(HandoverError.from(thrown), batch);
      }
    }
    this.#running = undefined;
  }

  #take(): readonly Queued[] {
    let bytes = 0;
    let count = 0;
    for (const { submission } of this.#queue) {
      if (
        count === this.#limits.batchCommands ||
        (count > 0 && bytes + submission.bytes > this.#limits.batchBytes)
      )
        break;
      bytes += submission.bytes;
      count++;
    }
    if (count === this.#queue.length) {
      const all = this.#queue;
      this.#queue = [];
      return all;
    }
    return this.#queue.splice(0, count);
  }

  async #process(queued: readonly Queued[], attempt: number): Promise<void> {
    const started = this.#env.now();
    const streams = new Map<string, CachedStream>();
    for (const { streams: held } of queued) for (const stream of held) streams.set(stream.key, stream);
    let batch: Batch | undefined;
    let appends: readonly StreamAppend[] = [];
    const answers: (readonly [Queued, Answer])[] = [];
    const skipped: Queued[] = [];
    const decide = (input: CommitInput): readonly StreamAppend[] => {
      for (const [key, tail] of input.tails) {
        const stream = streams.get(key);
        if (stream) for (const entry of tail) applyEntry(stream, entry);
      }
      batch = new Batch(this.#env, streams, input.seen);
      for (const item of queued) {
        if (item.streams.some(({ key }) => input.skipped.has(key))) skipped.push(item);
        else
          try {
            answers.push([item, batch.decide(item.submission)]);
          } catch (thrown) {
            throw new Poison(item, thrown);
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
    if (outcome instanceof Poison) return this.#poisoned(outcome, queued, attempt);
    if (outcome.kind === 'conflict') return this.#conflict(queued, streams, attempt);
    if (outcome.kind === 'notStored') return this.#notStored(queued, outcome.reason);
    batch?.install();
    for (const [item, answer] of answers) this.#answer(item, answer);
    this.#postpone(skipped);
    this.#afterwards(appends, outcome, answers.length, this.#env.now() - started);
  }

  #request(queued: readonly Queued[], streams: ReadonlyMap<string, CachedStream>): CommitRequest {
    const messageIds: { stream: StreamRef; messageId: string }[] = [];
    for (const { submission } of queued)
      for (const { stream, messageId } of submission.steps)
        if (messageId !== undefined && streams.get(streamKey(stream))?.recent.mayContain(messageId))
          messageIds.push({ stream, messageId });
    return { streams: [...streams.values()].map(({ ref, head }) => ({ ref, known: head })), messageIds };
  }

  #answer(item: Queued, answer: Answer): void {
    for (const stream of item.streams) stream.pins--;
    item.resolve(answer);
  }

  #fail(item: Queued, fault: HandoverError): void {
    for (const stream of item.streams) stream.pins--;
    item.reject(fault);
  }

  #notStored(queued: readonly Queued[], reason: string): void {
    this.#env.log.error('batch.not_stored', { commands: queued.length, reason });
    const fault = new HandoverError(FaultCode.NOT_STORED, `nothing was stored: ${reason}`, {
      next: 'retryable',
    });
    for (const item of queued) this.#fail(item, fault);
  }

  /** Somebody else wrote: forget what was believed of these streams and decide again from what is stored. */
  async #conflict(
    queued: readonly Queued[],
    streams: ReadonlyMap<string, CachedStream>,
    attempt: number,
  ): Promise<void> {
    for (const key of streams.keys()) this.#cache.drop(key);
    if (attempt === MAX_TRIES)
      return this.#notStored(queued, 'the streams were being written by another node');
    const again: Queued[] = [];
    for (const item of queued) {
      for (const stream of item.streams) stream.pins--;
      const reloaded = await Promise.all(refsOf(item.submission).map((ref) => this.#cache.load(ref)));
      for (const stream of reloaded) stream.pins++;
      again.push({ ...item, streams: reloaded });
    }
    return this.#process(again, attempt + 1);
  }

  /** A command whose deciding threw fails alone; nothing of the batch was stored, the others are decided again. */
  #poisoned(poison: Poison, queued: readonly Queued[], attempt: number): Promise<void> {
    const fault = HandoverError.from(poison.thrown);
    this.#env.log.error('command.failed', {
      code: fault.code,
      message: fault.shortMessage,
      cause: String(fault.cause ?? ''),
    });
    this.#fail(poison.item, fault);
    return this.#process(
      queued.filter((item) => item !== poison.item),
      attempt,
    );
  }

  #postpone(skipped: readonly Queued[]): void {
    const fault = new HandoverError(
      FaultCode.OVERLOADED,
      'the stream is busy; retry with the same message_id',
      { next: 'retryable' },
    );
    for (const item of skipped) {
      if (++item.skips < MAX_TRIES) this.#queue.unshift(item);
      else this.#fail(item, fault);
    }
  }

  #afterwards(
    appends: readonly StreamAppend[],
    { positions }: Extract<CommitOutcome, { kind: 'stored' }>,
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
      this.#feed.publish(entries, positions);
      const observe = this.#env.observe?.entryStored;
      if (observe) for (const entry of entries) observe(entry);
      await this.#subscriptions.publish(entries);
    });
  }

  /** After an unknown outcome nothing that is believed can be trusted: everything in flight is unknown, too. */
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
    for (const item of batch) this.#fail(item, unknown);
    for (const item of this.#queue.splice(0)) this.#fail(item, unknown);
  }

  async #current(ref: StreamRef): Promise<CachedStream> {
    if (this.#stopped && this.#stopped.code !== FaultCode.SHUTTING_DOWN) throw this.#stopped;
    const stream = await this.#cache.load(ref);
    if (stream.state === undefined) return stream;
    const due = stream.decider.due(stream.state);
    if (due === undefined || due > this.#env.now()) return stream;
    await this.#touch(ref);
    return this.#cache.load(ref);
  }

  async #touch(ref: StreamRef): Promise<void> {
    await this.submit({ agent: '', steps: [], touch: [ref], bytes: 0 });
  }
}

/** Carries out of the store's commit that deciding one command threw. */
class Poison {
  readonly item: Queued;
  readonly thrown: unknown;

  constructor(item: Queued, thrown: unknown) {
    this.item = item;
    this.thrown = thrown;
  }
}

function refsOf({ steps, consult, touch }: Submission): readonly StreamRef[] {
  const [only] = steps;
  if (only && steps.length === 1 && !consult && !touch) return [only.stream];
  return [...steps.map(({ stream }) => stream), ...(consult ?? []), ...(touch ?? [])];
}
