import { join } from 'node:path';
import type { Skill } from '../../../texts/skills.js';
import type { Client } from '../client.js';
import { tomlString } from '../edit/toml-block.js';
import { serverCommand } from '../launch.js';
import { entryPiece } from '../piece.js';
import { skillPieces } from './skill-files.js';

const commandFile = ({ description, body }: Skill): string =>
  `description = ${tomlString(description)}\nprompt = """\n${body}\nThe user added: {{args}}\n"""\n`;

export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  scopes: ['user', 'project'],
  facts: { read: '2026-08-22', in: 'its documentation and types', version: '0.61.0' },
  folder: ({ home }) => join(home, '.gemini'),
  pieces({ scope, home, project, launch }) {
    const root = scope === 'user' ? home : project;
    const folder = join(root, '.gemini');
    const { command, args } = serverCommand(launch);
    return {
      entry: [entryPiece({ root, path: join(folder, 'settings.json') }, 'mcpServers', { command, args })],
      command: skillPieces({
        root,
        folder: join(folder, 'commands'),
        name: ({ name }) => `${name}.toml`,
        text: commandFile,
        style: 'hash',
      }),
    };
  },
  notes: () => ['Type /mcp in Gemini CLI to see the server, and /commands reload for /handoff and /pickup.'],
};
