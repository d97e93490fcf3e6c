/** What settings themselves may hold. */
import type { FixedLimit } from '../fixed-limits.js';

export const settingLimits = {
  settingFileBytes: {
    what: 'A file that a setting names: tokens, keys, certificates, webhooks, a policy',
    value: 4 * 1_048_576,
    unit: 'bytes',
    beyond: 'the server does not start, and names the setting',
  },
  webhookEndpoints: {
    what: 'Webhooks in HANDOVER_WEBHOOKS_FILE',
    value: 50,
    unit: 'count',
    beyond: 'the server does not start',
  },
  trustedContracts: {
    what: 'Addresses in HANDOVER_ENTRYPOINTS_<chainId> or HANDOVER_SAFE_SINGLETONS_<chainId>',
    value: 16,
    unit: 'count',
    beyond: 'the server does not start, and names the setting',
  },
  changedTextLength: {
    what: 'Text to which a setting is changed while the server runs',
    value: 128,
    unit: 'characters',
    beyond: 'VALIDATION_ERROR',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
