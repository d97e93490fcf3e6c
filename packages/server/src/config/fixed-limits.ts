/**
 * The limits that no setting changes, as data: the code that enforces one takes its value from here, and
 * docs/running/limits.md shows them all.
 */
export interface FixedLimit {
  readonly what: string;
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count';
  /** What happens beyond it, with the code that the caller gets. */
  readonly beyond: string;
}

export const fixedLimits = {
  mcpAddressesPerListener: {
    what: 'Addresses that one MCP listener follows',
    value: 256,
    unit: 'count',
    beyond: 'further addresses are not followed, and the answer leaves them out',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
