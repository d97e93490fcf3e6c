/** Servers that `handover mcp` starts beside assistants. */
import type { Setting } from '../setting.js';
import { MAX_SECONDS } from './max-seconds.js';

export const assistantSettings = [
  {
    name: 'HANDOVER_AGENT_ID',
    kind: 'text',
    default: '',
    description: 'For `handover mcp` and `handover inbox`: the agent that this assistant is.',
  },
  {
    name: 'HANDOVER_IDLE_SECS',
    kind: 'integer',
    default: '600',
    min: 1,
    max: MAX_SECONDS,
    description: 'A server that `handover mcp` started ends after so long without an assistant.',
    beyond: 'the server ends; the next assistant starts it again',
  },
] as const satisfies readonly Setting[];
