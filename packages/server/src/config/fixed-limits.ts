/**
 * The limits that no setting changes, as data: the code that enforces one takes its value from here, and
 * docs/running/limits.md shows them all.
 */
import { documentFixedLimits } from './document-limits.js';
import { jsonFixedLimits } from './json-limits.js';

export interface FixedLimit {
  readonly what: string;
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count';
  /** What happens beyond it, with the code that the caller gets. */
  readonly beyond: string;
}

export const fixedLimits = {
  ...jsonFixedLimits,
  ...documentFixedLimits,
  mcpAddressesPerListener: {
    what: 'Addresses that one MCP listener follows',
    value: 256,
    unit: 'count',
    beyond: 'further addresses are not followed, and the answer leaves them out',
  },
  refusedPeerMs: {
    what: 'How long a peer stays connected that may not use a port without TLS',
    value: 1_000,
    unit: 'ms',
    beyond: 'the connection is cut; until then it gets 403 and nothing that it sends is parsed',
  },
  pageBodyWithoutHeaderBytes: {
    what: 'Body of a page that does not send the secret in the Authorization header',
    value: 65_536,
    unit: 'bytes',
    beyond: '413; send the secret in the header',
  },
  pageStatusBytes: {
    what: 'Body with which a page reports a status or progress',
    value: 262_144,
    unit: 'bytes',
    beyond: '413',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
