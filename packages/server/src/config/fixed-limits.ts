/**
 * The limits that no setting changes, as data: the code that enforces one takes its value from here, and
 * docs/running/limits.md shows them all.
 */
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
  jwtBytes: {
    what: 'Length of a JWT',
    value: 16_384,
    unit: 'bytes',
    beyond: 'UNAUTHENTICATED; it is not read',
  },
  jwksKeys: {
    what: 'Keys in a key set: every one may have to be tried on a forged token',
    value: 32,
    unit: 'count',
    beyond: 'the key set is refused: at the start, or, when it was fetched, the keys from before stay in use',
  },
  jwksBytes: {
    what: 'Size of a key set that is fetched',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the key set is not read; the keys from before stay in use',
  },
  jwksFetchMs: {
    what: 'Time for fetching a key set',
    value: 5_000,
    unit: 'ms',
    beyond: 'the keys from before stay in use for an hour, then every JWT is UNAUTHENTICATED',
  },
  staticTokenBytes: {
    what: 'Length of a static token',
    value: 4_096,
    unit: 'bytes',
    beyond: 'the server does not start',
  },
  shortestStaticTokenBytes: {
    what: 'Length of a static token, at least',
    value: 24,
    unit: 'bytes',
    beyond: 'shorter: a server that others can reach does not start, one on loopback warns',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
