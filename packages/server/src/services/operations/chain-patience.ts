/** Reading a chain while somebody waits for the answer: bounded in time, and a failure becomes an answer. */
import { type JsonObject, RejectionCode, reject, rejectWith } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { ChainRefused, ChainUnavailable, type Patience } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../outcome.js';

/** For one request of a principal: the patience is for everything that the request asks of the chain. */
export function patienceOf({ tenant, agent }: Principal): Patience {
  return { asker: `${tenant}\n${agent}`, withinMs: fixedLimits.chainReadMs.value };
}

/** What was read; a chain that could not be read refuses the request and says when to try again, where that is known. */
export async function reading<T>(asked: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await asked };
  } catch (thrown) {
    if (thrown instanceof ChainUnavailable)
      return {
        rejection: rejectWith(
          RejectionCode.HANDOFF_FAILED,
          `the chain could not be read: ${thrown.message}`,
          waitOf(thrown),
        ),
      };
    if (thrown instanceof ChainRefused)
      return { rejection: reject(RejectionCode.HANDOFF_FAILED, `the chain refused: ${thrown.message}`) };
    throw thrown;
  }
}

export function waitOf({ retryAfterMs }: ChainUnavailable): JsonObject {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}
