import { given, type Names, onlyNamed, validateFunction } from '../arguments.js';
import { type AuthConfig, resolveIdentity } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { MacpSessionError } from '../errors.js';
import { type ContextWait, contextWaitOf } from '../handoff/context-clock.js';
import type { ReconnectPolicy } from '../transport/backoff.js';
import type { AnsweredOffer, Decide, WorkerFailure } from './decision.js';
import { MemoryJournal, type WorkerJournal } from './journal.js';
import { agentOf } from './open-sessions.js';

/** Whom a worker serves, and how. */
export interface HandoffWorkerOptions {
  /** The connection; it stays open when the worker ends. */
  readonly client: MacpClient;
  /** Whose offers; by default those of the owner of the client's credential. */
  readonly agent?: string | undefined;
  /** The credential, in place of the client's. It must fit the agent. */
  readonly auth?: AuthConfig | undefined;
  /** Called for each offer, with its context; what it returns is the answer. */
  readonly decide: Decide;
  /** Decisions at a time; 4 by default. */
  readonly concurrency?: number | undefined;
  /** How long a decision waits for the context of its offer. */
  readonly context?: ContextWait | undefined;
  /** Counts attempts over restarts, for example `fileJournal(path)`. */
  readonly journal?: WorkerJournal | undefined;
  /** Called for each answer that the runtime has taken. */
  readonly onAnswered?: ((answer: AnsweredOffer) => void | Promise<void>) | undefined;
  /** Called for each decision or answer that failed; by default a line in the log. */
  readonly onError?: ((failure: WorkerFailure) => void) | undefined;
  /** Waits between attempts, 1 s doubling to 60 s, and how many there are; without `maxAttempts` as many as it takes. */
  readonly retry?: ReconnectPolicy | undefined;
  /** After `stop`, how long decisions that run may go on; 10,000 ms by default. */
  readonly drainMs?: number | undefined;
  /** Sessions without an offer that are followed by streams of their own; as many as decisions, but 16 at least. The others are looked at. */
  readonly streams?: number | undefined;
}

const WORKER_OPTIONS: Names<HandoffWorkerOptions> = {
  client: true,
  agent: true,
  auth: true,
  decide: true,
  concurrency: true,
  context: true,
  journal: true,
  onAnswered: true,
  onError: true,
  retry: true,
  drainMs: true,
  streams: true,
};

/** The options with their defaults, checked. */
export function settingsOf(options: HandoffWorkerOptions) {
  const {
    client,
    decide,
    journal = new MemoryJournal(),
    retry = {},
  } = onlyNamed('options', options, WORKER_OPTIONS);
  given('client', client);
  given('journal', journal);
  given('retry', retry);
  const agent = agentOf(client, options.agent);
  validateFunction('decide', decide);
  const { onAnswered, onError } = options;
  for (const [name, callback] of Object.entries({ onAnswered, onError }))
    if (callback !== undefined) validateFunction(name, callback);
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 4, 1);
  const { maxAttempts = Number.POSITIVE_INFINITY } = retry;
  if (!(maxAttempts >= 1))
    throw new MacpSessionError('retry.maxAttempts must be 1 or more', 'retry.maxAttempts');
  return {
    client,
    agent,
    auth: resolveIdentity(client.auth, options.auth, agent).auth,
    decide,
    journal,
    wait: contextWaitOf(options.context),
    concurrency,
    drainMs: wholeNumber('drainMs', options.drainMs ?? 10_000, 0),
    streams: wholeNumber('streams', options.streams ?? Math.max(16, concurrency), 0),
    baseMs: wholeNumber('retry.baseMs', retry.baseMs ?? 1_000, 0),
    maxMs: wholeNumber('retry.maxMs', retry.maxMs ?? 60_000, 0),
    maxAttempts,
  };
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new MacpSessionError(`${name} must be a whole number, ${least} or more`, name);
}
