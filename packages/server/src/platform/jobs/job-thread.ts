/**
 * A worker thread that does one job at a time, within a time and a heap.
 *
 * T1. It is started by the first job, and ended when it has had nothing to do for a while.
 * T2. A job that takes too long or too much memory ends the thread with it; the next job gets a new one. Nothing else of
 *     the process is touched.
 * T3. Every job settles: by its answer, or by the reason why there is none.
 * T4. A thread that says its number is measured by what it works, not by what passes meanwhile: it stands back for others,
 *     and on a busy machine a small job may take long. A job that gets no turn is given up, too, but not for its size.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { workedMs } from './thread-time.js';

export interface JobThreadOptions {
  readonly entry: URL;
  readonly name: string;
  readonly heapBytes: number;
  /** Of work; see T4. */
  readonly timeMs: number;
  readonly idleMs: number;
  /** How long a job is waited for in all, as often as `timeMs`. */
  readonly patience?: number;
}

/** Why a job has no answer. `threw`: the job itself failed, and the thread goes on. `no turn`: others had the processors. */
export type JobFailure = 'too slow' | 'no turn' | 'too much memory' | 'crashed' | 'threw' | 'closed';

export type JobAnswer =
  | { readonly value: unknown }
  | { readonly failure: JobFailure; readonly cause?: unknown };

/** What the thread posts for a job. */
export type JobReply = { readonly value: unknown } | { readonly thrown: string };
/** What it may post once, before all: its number. */
export type ThreadNumber = { readonly thread: number };

const MIB = 1_048_576;
/** What is parsed and thrown away soon needs little room; by default a thread takes three times as much. */
const YOUNG_MB = 16;
const PATIENCE = 6;
/** What is left of a time may be less than it takes to look. */
const LOOK_MS = 50;

export class JobThread {
  readonly #options: JobThreadOptions;
  #worker: Worker | undefined;
  /** As long as it is not known, time is what passes. */
  #thread: number | undefined;
  /** What the thread had worked when its job began. */
  #worked = 0;
  #settle: ((answer: JobAnswer) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** One at a time: the caller waits for the answer before it gives the next. */
  run(job: object, transfer: readonly ArrayBuffer[]): Promise<JobAnswer> {
    if (this.#closed) return Promise.resolve({ failure: 'closed' });
    const worker = this.#running();
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#worked = this.#work() ?? 0;
      const { timeMs, patience = PATIENCE } = this.#options;
      this.#bound(timeMs, performance.now() + timeMs * patience);
      worker.postMessage(job, [...transfer]);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#stop({ failure: 'closed' });
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const { entry, name, heapBytes } = this.#options;
    const resourceLimits: ResourceLimits = {
      maxOldGenerationSizeMb: Math.ceil(heapBytes / MIB),
      maxYoungGenerationSizeMb: YOUNG_MB,
    };
    // Loaders of the parent (tsx, a test runner) mean nothing to the compiled worker.
    const worker = new Worker(entry, { name, resourceLimits, execArgv: [] });
    const over = (answer: JobAnswer) => {
      if (this.#worker === worker) this.#stop(answer);
    };
    worker.on('message', (reply: JobReply | ThreadNumber) => {
      if (this.#worker !== worker) return;
      if ('thread' in reply) this.#thread = reply.thread;
      else this.#answer(reply);
    });
    worker.on('error', (cause: NodeJS.ErrnoException) =>
      over({ failure: cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too much memory' : 'crashed', cause }),
    );
    worker.on('exit', (code) => over({ failure: 'crashed', cause: `exit code ${code}` }));
    // A thread without a job does not keep the process alive; the request that waits for one does.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #work(): number | undefined {
    return this.#thread === undefined ? undefined : workedMs(this.#thread);
  }

  /** Looks again for as long as the thread worked less than it may. */
  #bound(ms: number, deadline: number): void {
    this.#watch(ms, () => {
      const work = this.#work();
      const left = work === undefined ? 0 : this.#options.timeMs - (work - this.#worked);
      if (left <= 0) this.#stop({ failure: 'too slow' });
      else if (performance.now() >= deadline) this.#stop({ failure: 'no turn' });
      else this.#bound(Math.max(LOOK_MS, Math.min(left, deadline - performance.now())), deadline);
    });
  }

  #answer(reply: JobReply): void {
    this.#give('thrown' in reply ? { failure: 'threw', cause: reply.thrown } : reply);
    this.#watch(this.#options.idleMs, () => this.#stop({ failure: 'closed' }));
  }

  /** Ends the thread, and the job that it has. */
  #stop(answer: JobAnswer): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#thread = undefined;
    worker?.terminate().catch(() => {});
    this.#give(answer);
  }

  #give(answer: JobAnswer): void {
    clearTimeout(this.#timer);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }

  #watch(ms: number, over: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(over, ms).unref();
  }
}
