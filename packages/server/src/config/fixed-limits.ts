/**
 * The limits that no setting changes, as data: the code that enforces one takes its value from here, and
 * docs/running/limits.md shows them all.
 */
import { authLimits } from './fixed-limits/auth.js';
import { doorLimits } from './fixed-limits/doors.js';
import { protocolLimits } from './fixed-limits/protocol.js';
import { serviceLimits } from './fixed-limits/services.js';
import { settingLimits } from './fixed-limits/settings.js';

export interface FixedLimit {
  readonly what: string;
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count' | 'characters';
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
  ...doorLimits,
  ...authLimits,
  ...protocolLimits,
  ...serviceLimits,
  ...settingLimits,
} as const satisfies Readonly<Record<string, FixedLimit>>;
