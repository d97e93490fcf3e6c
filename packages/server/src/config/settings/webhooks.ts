/** Which addresses are told about handoffs and operations. */
import type { Setting } from '../setting.js';

export const webhookSettings = [
  {
    name: 'HANDOVER_WEBHOOKS_FILE',
    kind: 'path',
    default: '',
    description:
      'File that says which addresses are told about handoffs and operations: {"webhooks": [{url, secret, events, ...}]}; each may name its own events. See docs/running/webhooks.md.',
  },
  {
    name: 'HANDOVER_WEBHOOK_URL',
    kind: 'url',
    default: '',
    description:
      'One address that is told about handoffs and operations, when HANDOVER_WEBHOOKS_FILE is not set.',
  },
  {
    name: 'HANDOVER_WEBHOOK_SECRET',
    kind: 'text',
    default: '',
    secret: true,
    description: 'Signs what is sent there: `whsec_` and base64 of 24 to 64 bytes.',
  },
] as const satisfies readonly Setting[];
