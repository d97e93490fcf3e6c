/** Servers that `handover mcp` starts beside assistants, and the commands that assistants run. */
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
    name: 'HANDOVER_AUTOLOAD',
    kind: 'choice',
    default: 'lines',
    choices: ['lines', 'brief', 'off'],
    description:
      'For `handover hook session-start`: what an assistant is told when a conversation begins. `lines`: what waits for it, in a few lines; `brief`: also the brief of its own last session; `off`: nothing.',
  },
  {
    name: 'HANDOVER_CAPTURE_PARKS',
    kind: 'flag',
    default: '1',
    description:
      'For `handover hook`: when a conversation has ended or reached its limit, its session is left for whoever resumes next; `0`: it is not.',
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
