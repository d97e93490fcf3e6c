/** What a handoff may carry, and how long an offer stands. */
import { DEFAULT_TOKEN_BUDGET, MAX_TTL_MS } from '@handover/core';
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
    default: `${DEFAULT_TOKEN_BUDGET}`,
    min: 400,
    max: 16_000,
    change: 'live',
    path: 'handoff.packageTokenBudget',
    description: 'Size of the brief that travels with a handoff, in tokens (4 bytes each).',
    beyond: 'the brief leaves out or shortens what is older and says how much; the entries themselves stay',
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
