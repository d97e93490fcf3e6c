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
  // These three stay as the server was started: an assistant on its user's machine may change the others.
  {
    name: 'HANDOVER_TAKEOVER',
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'off', 'person', 'silent'],
    description:
      'Who may take work over from an owner that is silent. off: nobody; person: the person at the data folder (`handover take`) and credentials with handoff:admin; silent: also any agent in the same project. auto: silent for the server of `handover mcp` and in dev mode, person with credentials.',
  },
  {
    name: 'HANDOVER_TAKEOVER_AFTER_SECS',
    kind: 'integer',
    default: '600',
    min: 0,
    max: 604_800,
    description: 'How long an owner must have been silent before its work can be taken over.',
    beyond: 'taking earlier is refused: FORBIDDEN, with the time from which it is possible',
  },
  {
    name: 'HANDOVER_OPEN_PARKING',
    kind: 'flag',
    default: '0',
    description:
      'What is left for whoever resumes next is over HTTP, too, for every agent of the tenant in the same project; without it only for its owner. Over stdio it always is for all.',
  },
] as const satisfies readonly Setting[];
