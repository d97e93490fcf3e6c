/**
 * Large JSON is parsed, checked and put into canonical form by one thread of its own: a document of some megabytes takes
 * longer than other requests should wait. Only bytes and findings come back.
 *
 * L1. The thread does the same as the main thread does with small documents, by the same pure functions (jobs.ts).
 * L2. A job that is too heavy is the sender's error and gets a rejection. A full queue and a crash are faults.
 */
import { FaultCode, HandoverError, type Rejection, RejectionCode, reject } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { type JobAnswer, type JobFailure, JobThread } from '../../platform/jobs/job-thread.js';
import { builtFile } from '../../platform/package-root.js';
import type { DerivationName, Derived } from '../operations/derivations.js';
import type { Outcome } from '../outcome.js';
import type {
  DeriveInput,
  DeriveOutput,
  JobMessage,
  JobName,
  Jobs,
  MessageInput,
  MessageOutput,
} from './job-types.js';

export interface LargeWorkOptions {
  /** Tests bring their own. */
  readonly entry?: URL;
  readonly timeMs?: number;
  readonly heapBytes?: number;
  /** Told of every job. */
  readonly onJob?: () => void;
}

/** In place of a caller: the server itself, which asks for one thing after another. */
export const SERVER = '';

const IDLE_MS = 60_000;

export class LargeWork {
  readonly #thread: JobThread;
  readonly #queue: JobQueue;
  readonly #onJob: () => void;

  constructor(options: LargeWorkOptions = {}) {
    const { entry = builtFile('services/large/worker.js') } = options;
    const { timeMs = fixedLimits.largeJobMs.value, heapBytes = fixedLimits.largeJobHeapBytes.value } =
      options;
    this.#onJob = options.onJob ?? (() => {});
    this.#thread = new JobThread({ entry, name: 'handover-large', heapBytes, timeMs, idleMs: IDLE_MS });
    this.#queue = new JobQueue(this.#thread, {
      inAll: fixedLimits.largeJobsWaiting.value,
      ofCaller: fixedLimits.largeJobsWaitingOfCaller.value,
      unlimited: SERVER,
    });
  }

  /** Jobs that wait. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Jobs that the thread was given so far. */
  get given(): number {
    return this.#queue.given;
  }

  message(caller: string, input: MessageInput): Promise<Outcome<MessageOutput>> {
    return this.#run('message', caller, input);
  }

  async derive<N extends DerivationName>(
    caller: string,
    input: DeriveInput<N>,
  ): Promise<Outcome<Derived<N>>> {
    const outcome = await this.#run('derive', caller, input as DeriveInput);
    if ('rejection' in outcome) return outcome;
    const derived = outcome.value as DeriveOutput<N>;
    if ('value' in derived) return { value: derived.value };
    return { rejection: reject(RejectionCode.VALIDATION_ERROR, `the body ${derived.flaw.message}`) };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #run<N extends JobName>(
    name: N,
    caller: string,
    input: Parameters<Jobs[N]>[0],
  ): Promise<Outcome<ReturnType<Jobs[N]>>> {
    const { crossed, transfer } = crossing(name, input);
    const message: JobMessage<N> = { name, input: crossed };
    const answer = await this.#queue.add(caller, { message, transfer });
    if (!answer) throw BUSY;
    this.#onJob();
    return 'value' in answer
      ? { value: answer.value as ReturnType<Jobs[N]> }
      : { rejection: refusal(answer) };
  }
}

const BUSY = new HandoverError(FaultCode.OVERLOADED, 'too many large documents are waiting', {
  next: 'retryable',
});

const HEAVY: Partial<Record<JobFailure, string>> = {
  'too slow': 'checking it takes too long; make it smaller',
  'too much memory': 'checking it takes too much memory; make it smaller',
};

function refusal({ failure, cause }: Extract<JobAnswer, { readonly failure: JobFailure }>): Rejection {
  const text = HEAVY[failure];
  if (text !== undefined) return reject(RejectionCode.PAYLOAD_TOO_LARGE, text);
  if (failure === 'no turn')
    throw new HandoverError(FaultCode.OVERLOADED, 'the machine is too busy to check large documents', {
      next: 'retryable',
    });
  if (failure === 'closed')
    throw new HandoverError(FaultCode.SHUTTING_DOWN, 'the server is shutting down', { next: 'retryable' });
  throw new HandoverError(FaultCode.INTERNAL, 'the thread for large documents failed', { cause });
}

/** Bytes of a message are nobody else's and are handed over; those of a stored document are copied. */
function crossing<T extends object>(
  name: JobName,
  input: T,
): { readonly crossed: T; readonly transfer: ArrayBuffer[] } {
  const transfer: ArrayBuffer[] = [];
  const crossed = Object.entries(input).map(([key, value]) => {
    if (!(value instanceof Uint8Array)) return [key, value] as const;
    const own = name === 'message' && value.byteLength === value.buffer.byteLength;
    const bytes = own ? value : new Uint8Array(value);
    transfer.push(bytes.buffer as ArrayBuffer);
    return [key, bytes] as const;
  });
  return { crossed: Object.fromEntries(crossed) as T, transfer };
}
