import { join } from 'node:path';
import type { Client } from '../client.js';
import { serverCommand } from '../launch.js';
import { entryPiece } from '../piece.js';
import { skillPieces } from './skill-files.js';

/** Cursor puts the folder of the window here, and starts servers somewhere else. */
const PROJECT = ['--project', `\${workspaceFolder}`];

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  program: 'cursor',
  scopes: ['user', 'project'],
  facts: { read: '2026-08-22', in: 'reports of others' },
  folder: ({ home }) => join(home, '.cursor'),
  pieces({ scope, home, project, launch }) {
    const root = scope === 'user' ? home : project;
    const folder = join(root, '.cursor');
    const { command, args } = serverCommand(launch, PROJECT);
    return {
      entry: [entryPiece({ root, path: join(folder, 'mcp.json') }, 'mcpServers', { command, args })],
      command: skillPieces({
        root,
        folder: join(folder, 'commands'),
        name: ({ name }) => `${name}.md`,
        text: ({ body }) => body,
        style: 'html',
      }),
    };
  },
  notes: () => ['Cursor shows the server in its settings, under MCP; turn it on there if it is off.'],
};
