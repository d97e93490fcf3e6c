/** What MCP clients see. */
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
    default: 'handoff,operations,xdala',
    choices: ['handoff', 'operations', 'xdala'],
    description: 'Sets of MCP tools to offer.',
  },
] as const satisfies readonly Setting[];
