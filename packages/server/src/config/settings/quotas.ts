/** How much of the disk one agent or one tenant may fill. */
import type { Setting } from '../setting.js';

const SAFE = Number.MAX_SAFE_INTEGER;
const BEYOND =
  'new messages, notes and operations are refused with RATE_LIMITED and without a time to wait; ' +
  'answers, claims, Commitments, cancelling and resuming are taken';

export const quotaSettings = [
  {
    name: 'HANDOVER_QUOTA_BYTES_AGENT',
    kind: 'integer',
    default: '1073741824',
    min: 0,
    max: SAFE,
    change: 'live',
    path: 'limits.quotaBytesAgent',
    description: 'Bytes of payload that one agent may have in the log; 0: any number.',
    beyond: BEYOND,
  },
  {
    name: 'HANDOVER_QUOTA_BYTES_TENANT',
    kind: 'integer',
    default: '0',
    min: 0,
    max: SAFE,
    change: 'live',
    path: 'limits.quotaBytesTenant',
    description: 'The same for all agents of a tenant together; 0: any number.',
    beyond: BEYOND,
  },
] as const satisfies readonly Setting[];
