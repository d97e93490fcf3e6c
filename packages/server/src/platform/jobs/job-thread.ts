/**
 * A worker thread that does one job at a time, within a time and a heap.
 *
 * T1. It is started by the first job, and ended when it has had nothing to do for a while.
 * T2. A job that takes too long or too much memory ends the thread with it; the next job gets a new one. Nothing else of
 *     the process is touched.
 * T3. Every job settles: by its answer, or by the reason why there is none.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface JobThreadOptions {
  readonly entry: URL;
  readonly name: string;
  readonly heapBytes: number;
  readonly timeMs: number;
  readonly idleMs: number;
}

/** Why a job has no answer. `threw`: the job itself failed, and the thread goes on. */
export type JobFailure = 'too slow' | 'too much memory' | 'crashed' | 'threw' | 'closed';

export type JobAnswer =
  | { readonly value: unknown }
  | { readonly failure: JobFailure; readonly cause?: unknown };

/** What the thread posts. */
export type JobReply = { readonly value: unknown } | { readonly thrown: string };

const MIB = 1_048_576;
/** What is parsed and thrown away soon needs little room; by default a thread takes three times as much. */
const YOUNG_MB = 16;

export class JobThread {
  readonly #options: JobThreadOptions;
  #worker: Worker | undefined;
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
      this.#watch(this.#options.timeMs, () => this.#stop({ failure: 'too slow' }));
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
    worker.on('message', (reply: JobReply) => {
      if (this.#worker === worker) this.#answer(reply);
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

  #answer(reply: JobReply): void {
    this.#give('thrown' in reply ? { failure: 'threw', cause: reply.thrown } : reply);
    this.#watch(this.#options.idleMs, () => this.#stop({ failure: 'closed' }));
  }

  /** Ends the thread, and the job that it has. */
  #stop(answer: JobAnswer): void {
    const worker = this.#worker;
    this.#worker = undefined;
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
