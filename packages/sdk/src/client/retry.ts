/**
 * Sending again. The envelope is the same each time, so a message that was accepted although its Ack was lost is answered
 * as a duplicate, not accepted twice.
 */
import type { Envelope } from '@handover/core';
import type { Ack } from '@handover/wire';
import { INTERNAL_ERROR, RATE_LIMITED } from '../error-codes.js';
import { MacpAckError, MacpRetryError, MacpTransportError } from '../errors.js';
import { pause } from '../transport/backoff.js';
import { isFinal } from '../transport/status.js';
import type { MacpClient, SendOptions } from './client.js';

/** When and how often to send again. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** Seconds before the first retry; the wait doubles each time. */
  readonly backoffBase: number;
  /** The longest wait, in seconds. */
  readonly backoffMax: number;
  /** Codes of refusals that are worth a retry. UNAUTHENTICATED is never retried, even if it is listed. */
  readonly retryableCodes: ReadonlySet<string>;
}

/** Three retries after 0.1, 0.2 and 0.4 seconds, for RATE_LIMITED and INTERNAL_ERROR. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxRetries: 3,
  backoffBase: 0.1,
  backoffMax: 2,
  retryableCodes: new Set([RATE_LIMITED, INTERNAL_ERROR]),
};

/** Sends an envelope until it is answered, refused for good, or the retries are used up (MacpRetryError). */
export async function retrySend(
  client: Pick<MacpClient, 'send'>,
  envelope: Envelope,
  options: SendOptions & { readonly policy?: Partial<RetryPolicy> | undefined } = {},
): Promise<Ack> {
  const { policy: overrides, ...sendOptions } = options;
  const policy = { ...DEFAULT_RETRY_POLICY, ...overrides };
  for (let attempt = 0; ; attempt++) {
    try {
      return await client.send(envelope, { ...sendOptions, raiseOnNack: true });
    } catch (error) {
      if (!mayPass(error, policy) || options.signal?.aborted) throw error;
      if (attempt >= policy.maxRetries)
        throw new MacpRetryError(
          `gave up after ${attempt + 1} attempts: ${messageOf(error)}`,
          codeOf(error),
          {
            cause: error,
          },
        );
    }
    const seconds = Math.min(policy.backoffBase * 2 ** attempt, policy.backoffMax);
    await pause(seconds * 1000, options.signal);
  }
}

function mayPass(error: unknown, { retryableCodes }: RetryPolicy): boolean {
  if (error instanceof MacpAckError)
    return error.code !== 'UNAUTHENTICATED' && retryableCodes.has(error.code);
  return error instanceof MacpTransportError && !isFinal(error);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const codeOf = (error: unknown) =>
  error instanceof MacpTransportError || error instanceof MacpAckError ? error.code : undefined;
