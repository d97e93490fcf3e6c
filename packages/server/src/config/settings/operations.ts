/** Operations that wait for a person, and their pages. */
import type { Setting } from '../setting.js';

export const operationSettings = [
  {
    name: 'HANDOVER_LATE_HOURS',
    kind: 'integer',
    default: '24',
    min: 1,
    max: 720,
    description:
      'How long the chain is watched for what a wallet was asked, after the last ask or claim, in hours.',
    beyond: 'what is still open is closed as not known; claims are taken for 30 days',
  },
  {
    name: 'MCP_OPERATION_DEFAULT_TTL_SECONDS',
    kind: 'integer',
    default: '3600',
    min: 60,
    max: 86_400,
    description: 'How long an operation waits for its person when the agent names no time.',
  },
  {
    name: 'MCP_OPERATION_MAX_TTL_SECONDS',
    kind: 'integer',
    default: '86400',
    min: 60,
    max: 86_400,
    description: 'The longest time that an agent may ask for an operation.',
    beyond: 'a longer time that is asked for becomes this',
  },
  {
    name: 'MCP_BUNDLE_DEPLOY_DEFAULT_TTL_SECONDS',
    kind: 'integer',
    default: '3600',
    min: 60,
    max: 86_400,
    description: 'How long a bundle deploy waits for its person when the agent names no time.',
  },
  {
    name: 'MCP_BUNDLE_DEPLOY_MAX_TTL_SECONDS',
    kind: 'integer',
    default: '86400',
    min: 60,
    max: 86_400,
    description: 'The longest time that an agent may ask for a bundle deploy.',
    beyond: 'a longer time that is asked for becomes this',
  },
  {
    name: 'MCP_SESSION_START_DEFAULT_TTL_SECONDS',
    kind: 'integer',
    default: '3600',
    min: 60,
    max: 86_400,
    description: 'How long a session start waits for its person when the agent names no time.',
  },
  {
    name: 'MCP_SESSION_START_MAX_TTL_SECONDS',
    kind: 'integer',
    default: '86400',
    min: 60,
    max: 86_400,
    description: 'The longest time that an agent may ask for a session start.',
    beyond: 'a longer time that is asked for becomes this',
  },
  {
    name: 'MCP_XDALA_BUNDLE_DEPLOY_BASE_URL',
    kind: 'url',
    default: '',
    description: 'An external page that deploys bundles; without it, our own.',
  },
  {
    name: 'MCP_XDALA_SESSION_START_BASE_URL',
    kind: 'url',
    default: '',
    description: 'An external page that starts sessions; without it, our own.',
  },
  {
    name: 'HANDOVER_QUERY_SECRETS',
    kind: 'choice',
    default: 'auto',
    choices: ['auto', '0', '1'],
    description:
      'Where the secret of a page may stand besides the header. auto: in a body, and in `?k=` if external pages are configured; 1: in both; 0: in neither.',
  },
  {
    name: 'HANDOVER_HANDLE_ONLY',
    kind: 'choice',
    default: 'auto',
    choices: ['auto', '0', '1'],
    description:
      'Whether an external page reads and claims with the handle alone, as it gets no secret. auto and 1: yes, for a family whose base URL is set; 0: no.',
  },
  {
    name: 'HANDOVER_WORKBENCH_ORIGINS',
    kind: 'list',
    default: '',
    description:
      'Further https origins whose pages may call the API of bundle deploys and session starts, beside those of the base URLs.',
  },
  {
    name: 'MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE',
    kind: 'integer',
    default: '600',
    min: 1,
    max: 1_000_000,
    description: 'Requests for one operation with its secret, in any 60 seconds.',
    beyond: '429 with Retry-After; only requests with the right secret count',
  },
  {
    name: 'MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE',
    kind: 'integer',
    default: '240',
    min: 1,
    max: 1_000_000,
    description: 'Requests without a right secret from one address (IPv6: from one /64), in any 60 seconds.',
    beyond: '429 with Retry-After; a right secret from the same address is served',
  },
] as const satisfies readonly Setting[];
