/** What MCP clients see. */
import { TOOL_SETS } from '../../auth/tool-sets.js';
import type { Setting } from '../setting.js';

export const mcpSettings = [
  {
    name: 'MCP_SERVER_NAME',
    kind: 'text',
    default: 'handover',
    change: 'live',
    path: 'server.name',
    description: 'What MCP clients are told the server is called.',
  },
  {
    name: 'MCP_PUBLIC_BASE_URL',
    kind: 'url',
    default: '',
    description:
      'Under which clients reach HTTP, such as https://handover.example; without it, what they call it by. JWTs may name its /mcp as their audience.',
  },
  {
    name: 'HANDOVER_TOOLSETS',
    kind: 'list',
    default: 'handoff,lifecycle,admin,operations,xdala',
    choices: TOOL_SETS,
    description:
      'Sets of MCP tools that there are. With handover mcp: those that this one connection lists, handoff and admin by default.',
  },
] as const satisfies readonly Setting[];
