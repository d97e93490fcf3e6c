/** What a handoff may carry, and how long an offer stands. */
import { MAX_TTL_MS } from '@handover/core';
import type { Setting } from '../setting.js';

export const handoffSettings = [
  {
    name: 'HANDOVER_MAX_CONTENT_BYTES',
    kind: 'integer',
    default: '1048576',
    min: 1_024,
    max: 1_048_576,
    change: 'live',
    path: 'limits.maxContentBytes',
    description: 'Largest content of one context entry.',
    beyond: 'VALIDATION_ERROR',
  },
  {
    name: 'HANDOVER_PACKAGE_TOKEN_BUDGET',
    kind: 'integer',
    default: '2000',
    min: 100,
    max: 100_000,
    change: 'live',
    path: 'handoff.packageTokenBudget',
    description: 'Size of the summary that travels with a handoff, in tokens (4 bytes each).',
    beyond: 'the summary leaves out older notes and says how many; the entries themselves stay',
  },
  {
    name: 'HANDOVER_HANDOFF_TTL_SECS',
    kind: 'integer',
    default: `${MAX_TTL_MS / 1_000}`,
    min: 60,
    max: MAX_TTL_MS / 1_000,
    change: 'live',
    path: 'handoff.ttlSecs',
    description: 'How long an offer made by requestHandoff stands; 24 hours at most.',
    beyond: 'the offer expires',
  },
] as const satisfies readonly Setting[];
