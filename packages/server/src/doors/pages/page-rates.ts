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
import { Bucket, type RateDecision } from '../../auth/rate-limiter.js';
import { addressGroup } from '../../config/address-group.js';
import type { OperationSettings } from '../../config/read-operations.js';

/** A request that opens nothing. */
export interface Stranger {
  /** Undefined when it cannot be known. */
  readonly address: string | undefined;
  readonly id: string;
  readonly secret?: string | undefined;
}

export interface PageRates {
  /** `by`: a record that is opened by its handle, too, must not let those who know the handle use up what the holder of the secret has. */
  opened(id: string, by: 'secret' | 'handle', kind: 'read' | 'post'): RateDecision;
  refused(stranger: Stranger): RateDecision;
}

type Limits = Pick<OperationSettings, 'perHandlePerMinute' | 'perAddressPerMinute'>;

export function createPageRates(limits: Limits, now: () => number): PageRates {
  const records = new Bucket(limits.perHandlePerMinute);
  const addresses = new Bucket(limits.perAddressPerMinute);
  const secrets = new Bucket(limits.perHandlePerMinute);
  return {
    opened: (id, by, kind) => records.check(`${kind} ${by} ${id}`, now()),
    refused({ address, id, secret }) {
      const byAddress = addresses.check(address === undefined ? 'unknown' : addressGroup(address), now());
      if (!byAddress.allowed || secret === undefined) return byAddress;
      return secrets.check(createHash('sha256').update(`${id}\n${secret}`).digest('base64'), now());
    },
  };
}
