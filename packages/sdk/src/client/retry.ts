/**
 * Sending again. The envelope is the same each time, so a message that was accepted although its Ack was lost is answered
 * as a duplicate, not accepted twice.
 *
 * S1. `deadlineMs` is for all attempts together, waits included. What does not fit into it is not begun.
 * S2. A wait that the runtime asks for is kept: nothing is sent earlier. One that is longer than `longestWait`, or than the
 *     time that is left, ends the attempts at once, and the refusal says how long it would be.
 * S3. Messages of one sender that were refused for their rate go on one after another, and so do those that come then.
 */
import { CoreMessageType, type Envelope } from '@handover/core';
import type { Ack } from '@handover/wire';
import { fail, given } from '../arguments.js';
import type { AuthConfig } from '../auth.js';
import { INTERNAL_ERROR, RATE_LIMITED } from '../error-codes.js';
import {
  MacpAckError,
  MacpRetryError,
  MacpSdkError,
  MacpTimeoutError,
  MacpTransportError,
} from '../errors.js';
import { pause } from '../transport/backoff.js';
import { validateCall } from '../transport/call-options.js';
import { either } from '../transport/either.js';
import { lineOf, type Place } from '../transport/line.js';
import { isFinal } from '../transport/status.js';
import type { MacpClient, SendOptions } from './client.js';

/** When and how often to send again. Times are in seconds. */
export interface RetryPolicy {
  /** How often to send again after the first time. */
  readonly maxRetries: number;
  /** Before the first retry; the wait doubles each time. */
  readonly backoffBase: number;
  /** The longest wait of that kind. */
  readonly backoffMax: number;
  /** The longest wait that the runtime may ask for and get. */
  readonly longestWait: number;
  /** After so long one attempt is given up; by default the client's deadline, and never more than what is left. */
  readonly attemptTimeout?: number | undefined;
  /** Codes of refusals that are worth a retry. UNAUTHENTICATED is never retried, even if it is listed. */
  readonly retryableCodes: ReadonlySet<string>;
}

/** Three retries after 0.1, 0.2 and 0.4 seconds, for RATE_LIMITED and INTERNAL_ERROR; a minute where the runtime asks for it. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxRetries: 3,
  backoffBase: 0.1,
  backoffMax: 2,
  longestWait: 60,
  retryableCodes: new Set([RATE_LIMITED, INTERNAL_ERROR]),
};

/** The policy with its defaults, checked: a number that is none would mean to try for ever. */
export function retryPolicyOf(overrides: Partial<RetryPolicy> = {}): RetryPolicy {
  const policy = { ...DEFAULT_RETRY_POLICY, ...given('retry', overrides) };
  const { maxRetries, backoffBase, backoffMax, longestWait, attemptTimeout, retryableCodes } = policy;
  if (!(typeof maxRetries === 'number' && maxRetries >= 0))
    fail('retry.maxRetries', 'must be a number, 0 or more');
  for (const [name, seconds] of Object.entries({ backoffBase, backoffMax, longestWait, attemptTimeout }))
    if (seconds !== undefined && !(typeof seconds === 'number' && seconds >= 0))
      fail(`retry.${name}`, 'must be a number of seconds, 0 or more');
  if (!(retryableCodes instanceof Set)) fail('retry.retryableCodes', 'must be a Set of codes');
  return policy;
}

/** Sends an envelope until it is answered, refused for good, or the retries are used up (MacpRetryError). */
export async function retrySend(
  client: Pick<MacpClient, 'send'>,
  envelope: Envelope,
  options: SendOptions & { readonly policy?: Partial<RetryPolicy> | undefined } = {},
): Promise<Ack> {
  const { policy: overrides, deadlineMs, ...sendOptions } = options;
  const policy = retryPolicyOf(overrides);
  validateCall(options);
  const time = new TimeLeft(deadlineMs);
  const line = () => lineOf(client, budgetOf(envelope, options.auth));
  const standsInLine = policy.maxRetries > 0 && policy.retryableCodes.has(RATE_LIMITED);
  const ending = () => time.ending(options.signal);
  let place: Place | undefined;
  try {
    if (standsInLine && line().isClosed && time.has(line().waitMs)) {
      place = await line().enter(ending());
      await place?.ready(ending());
      if (time.isOver) throw outOfTime(deadlineMs, 0, 'others of the same sender wait, too', envelope);
    }
    for (let attempt = 0; ; attempt++) {
      let wait: number;
      let cause: unknown;
      try {
        const within = time.atMost(policy.attemptTimeout);
        return await client.send(envelope, { ...sendOptions, deadlineMs: within, raiseOnNack: true });
      } catch (error) {
        if (!mayPass(error, policy) || options.signal?.aborted) throw error;
        if (time.isOver) throw outOfTime(deadlineMs, attempt + 1, error, envelope);
        if (attempt >= policy.maxRetries)
          throw new MacpRetryError(`gave up after ${attempt + 1} attempts`, attempt + 1, error);
        wait = waitAfter(error, attempt, policy);
        if (wait > policy.longestWait * 1000 || !time.has(wait))
          throw new MacpRetryError(
            `the next attempt would be in ${Math.ceil(wait)} ms, which is too late`,
            attempt + 1,
            error,
          );
        cause = error;
      }
      if (cause instanceof MacpAckError && cause.code === RATE_LIMITED) {
        // The runtime knows better than the doubling waits of each.
        line().refused(cause.retryAfterMs ?? wait);
        place ??= await line().enter(ending());
        await place?.ready(ending());
        if (time.isOver) throw outOfTime(deadlineMs, attempt + 1, cause, envelope);
      } else await pause(wait, options.signal);
    }
  } finally {
    place?.leave();
  }
}

/** The runtime counts the session starts of a sender, and its other messages. */
function budgetOf({ messageType, sender }: Envelope, auth: AuthConfig | undefined): string {
  return JSON.stringify([messageType === CoreMessageType.SessionStart, sender, auth?.bearerToken]);
}

/** What a deadline leaves. Without one everything fits. */
class TimeLeft {
  readonly #end: number | undefined;

  constructor(deadlineMs: number | undefined) {
    this.#end = deadlineMs === undefined ? undefined : performance.now() + deadlineMs;
  }

  get isOver(): boolean {
    return !this.has(0);
  }

  has(ms: number): boolean {
    return this.#end === undefined || this.#end - performance.now() > ms;
  }

  /** Fires when nothing is left, or the signal does. */
  ending(signal: AbortSignal | undefined): AbortSignal {
    if (this.#end === undefined) return signal ?? new AbortController().signal;
    const over = AbortSignal.timeout(Math.max(1, Math.ceil(this.#end - performance.now())));
    return either(over, signal);
  }

  atMost(seconds: number | undefined): number | undefined {
    const own = seconds === undefined ? undefined : seconds * 1000;
    if (this.#end === undefined) return own;
    const left = Math.max(1, Math.ceil(this.#end - performance.now()));
    return own === undefined ? left : Math.min(left, own);
  }
}

function waitAfter(error: unknown, attempt: number, { backoffBase, backoffMax }: RetryPolicy): number {
  const own = Math.min(backoffBase * 2 ** attempt, backoffMax) * 1000;
  const asked = error instanceof MacpSdkError ? error.retryAfterMs : undefined;
  return Math.max(own, asked ?? 0);
}

function mayPass(
  error: unknown,
  { retryableCodes }: RetryPolicy,
): error is MacpAckError | MacpTransportError {
  if (error instanceof MacpAckError)
    return error.code !== 'UNAUTHENTICATED' && retryableCodes.has(error.code);
  return error instanceof MacpTransportError && !isFinal(error);
}

function outOfTime(
  deadlineMs: number | undefined,
  attempts: number,
  cause: unknown,
  { sessionId, messageId }: Envelope,
): MacpSdkError {
  // The last answer was a refusal: what was sent before it may be what is refused, but nothing of it is under way.
  if (cause instanceof MacpAckError)
    return new MacpRetryError(`no time is left after ${attempts} attempts`, attempts, cause);
  const message = `DEADLINE_EXCEEDED: no answer within ${deadlineMs} ms; attempts: ${attempts}; the last: ${messageOf(cause)}`;
  return new MacpTimeoutError(message, { cause, sessionId, messageId });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
