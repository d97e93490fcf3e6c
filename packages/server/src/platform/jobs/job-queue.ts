/**
 * Jobs that wait for one thread. Callers take turns, so that one with many jobs does not keep the others waiting, and
 * neither one caller nor all together can pile them up.
 */
import type { JobAnswer, JobThread } from './job-thread.js';

export interface QueueLimits {
  /** Jobs that wait, in all. */
  readonly inAll: number;
  readonly ofCaller: number;
  /** The caller for whom there is always room. */
  readonly unlimited?: string;
}

export interface Job {
  readonly message: object;
  readonly transfer: readonly ArrayBuffer[];
}

interface Waiting extends Job {
  readonly settle: (answer: JobAnswer) => void;
}

export class JobQueue {
  readonly #thread: Pick<JobThread, 'run'>;
  readonly #limits: QueueLimits;
  /** In the order of their turns. A caller that has none waiting has no place. */
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;
  #busy = false;
  #done = 0;

  constructor(thread: Pick<JobThread, 'run'>, limits: QueueLimits) {
    this.#thread = thread;
    this.#limits = limits;
  }

  /** Jobs that wait. */
  get waiting(): number {
    return this.#count;
  }

  /** Jobs that the thread was given so far. */
  get given(): number {
    return this.#done;
  }

  /** Undefined: there is no room; the caller may try again later. */
  add(caller: string, job: Job): Promise<JobAnswer> | undefined {
    const own = this.#waiting.get(caller) ?? [];
    const { inAll, ofCaller, unlimited } = this.#limits;
    const full = this.#count >= inAll || own.length >= ofCaller;
    if (full && caller !== unlimited) return undefined;
    return new Promise((settle) => {
      this.#waiting.set(caller, [...own, { ...job, settle }]);
      this.#count += 1;
      this.#next();
    });
  }

  #next(): void {
    const [turn] = this.#waiting;
    if (this.#busy || !turn) return;
    const [caller, [job, ...rest]] = turn;
    this.#waiting.delete(caller);
    if (rest.length > 0) this.#waiting.set(caller, rest);
    if (!job) return;
    this.#count -= 1;
    this.#done += 1;
    this.#busy = true;
    void this.#thread.run(job.message, job.transfer).then((answer) => {
      this.#busy = false;
      job.settle(answer);
      this.#next();
    });
  }
}
