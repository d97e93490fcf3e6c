/** The policy registry, and the log. */
import type { Setting } from '../setting.js';

export const policyAndLogSettings = [
  {
    name: 'MACP_POLICIES_DIR',
    kind: 'path',
    default: '',
    description: 'Folder of policy files; they are the whole registry, which is then read-only.',
  },
  {
    name: 'MACP_LOG_LEVEL',
    kind: 'choice',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    change: 'live',
    path: 'monitoring.logLevel',
    shownAs: 'LOG_LEVEL',
    description: 'How much is logged to stderr.',
  },
] as const satisfies readonly Setting[];
