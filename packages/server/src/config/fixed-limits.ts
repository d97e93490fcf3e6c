/**
 * The limits that no setting changes, as data: the code that enforces one takes its value from here, and
 * docs/running/limits.md shows them all.
 */
import { documentFixedLimits } from './document-limits.js';
import { authLimits } from './fixed-limits/auth.js';
import { doorLimits } from './fixed-limits/doors.js';
import { effectLimits } from './fixed-limits/effects.js';
import { grpcCallLimits } from './fixed-limits/grpc-calls.js';
import { grpcConnectionLimits } from './fixed-limits/grpc-connections.js';
import { listenerLimits } from './fixed-limits/listeners.js';
import { protocolLimits } from './fixed-limits/protocol.js';
import { serviceLimits } from './fixed-limits/services.js';
import { settingLimits } from './fixed-limits/settings.js';
import { jsonFixedLimits } from './json-limits.js';

export interface FixedLimit {
  readonly what: string;
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count' | 'characters';
  /** What happens beyond it, with the code that the caller gets. */
  readonly beyond: string;
}

export const fixedLimits = {
  ...jsonFixedLimits,
  ...documentFixedLimits,
  ...listenerLimits,
  ...grpcConnectionLimits,
  ...grpcCallLimits,
  ...doorLimits,
  ...authLimits,
  ...protocolLimits,
  ...serviceLimits,
  ...effectLimits,
  ...settingLimits,
} as const satisfies Readonly<Record<string, FixedLimit>>;
