/**
 * How often pages may ask.
 *
 * R1. A request that opens a record is counted for that record alone, once it is known to open it. So nobody without the
 *     secret can lock out the one who holds it, and nobody else who shares an address with many can.
 * R2. Every other request is counted by the address that it comes from, and by the wrong secret that it brings.
 * R3. Requests are looked up before they are counted: whether the secret is right is what decides how to count.
 * R4. Posts are counted apart from reads: nobody who reads a record too often keeps its page from telling what a wallet has
 *     signed.
 * R5. Memory is bounded: the windows forget who is idle, and keys are of one size, whatever was sent.
 */
import { createHash } from 'node:crypto';
import { Bucket } from '../../auth/rate-limiter.js';
import { addressGroup } from '../../config/address-group.js';
import type { OperationSettings } from '../../config/read-operations.js';
import type { QuotaName } from '../../observe/metrics.js';

/** A request that opens nothing. */
export interface Stranger {
  /** Undefined when it cannot be known. */
  readonly address: string | undefined;
  readonly id: string;
  readonly secret?: string | undefined;
}

/** Which limit refuses a request: a label of `handover_rate_limited_total`. */
export type PageQuota = Extract<QuotaName, `page_${string}`>;

export interface OverPageRate {
  readonly quota: PageQuota;
  readonly retryAfterMs: number;
  /** What is limited, how far, and by which setting. */
  readonly message: string;
}

export interface PageRates {
  /**
   * `by`: a record that is opened by its handle, too, must not let those who know the handle use up what the holder of the
   * secret has; nor may any of them use up what is kept for the token of an ask.
   */
  opened(id: string, by: string, kind: 'read' | 'post'): OverPageRate | undefined;
  refused(stranger: Stranger): OverPageRate | undefined;
}

const PER_HANDLE = 'in 60 seconds, the limit of MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE';
const LIMITED: Readonly<Record<PageQuota, string>> = {
  page_record: `requests for this record ${PER_HANDLE}`,
  page_secret: `requests with the same wrong secret ${PER_HANDLE}`,
  page_address:
    'requests without a right secret from this address in 60 seconds, the limit of MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE',
};

type Limits = Pick<OperationSettings, 'perHandlePerMinute' | 'perAddressPerMinute'>;

export function createPageRates(limits: Limits, now: () => number): PageRates {
  const buckets: Readonly<Record<PageQuota, Bucket>> = {
    page_record: new Bucket(limits.perHandlePerMinute),
    page_address: new Bucket(limits.perAddressPerMinute),
    page_secret: new Bucket(limits.perHandlePerMinute),
  };
  const check = (quota: PageQuota, key: string): OverPageRate | undefined => {
    const decision = buckets[quota].check(key, now());
    if (decision.allowed) return undefined;
    const { retryAfterMs } = decision;
    const message = `more than ${buckets[quota].limit} ${LIMITED[quota]}; try again in ${retryAfterMs} ms`;
    return { quota, retryAfterMs, message };
  };
  return {
    opened: (id, by, kind) => check('page_record', `${kind} ${by} ${id}`),
    refused({ address, id, secret }) {
      const byAddress = check('page_address', address === undefined ? 'unknown' : addressGroup(address));
      if (byAddress || secret === undefined) return byAddress;
      return check('page_secret', createHash('sha256').update(`${id}\n${secret}`).digest('base64'));
    },
  };
}
