import { join } from 'node:path';
import type { Client, ProgramPart, Wanted } from '../client.js';
import { serverCommand } from '../launch.js';
import { entryPiece } from '../piece.js';
import { promptText, skillPieces } from './skill-files.js';

export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  program: 'code',
  scopes: ['user', 'project'],
  facts: { read: '2026-08-22', in: 'its documentation' },
  folder: ({ home }) => join(home, '.vscode'),
  pieces({ scope, project, launch }) {
    // Where VS Code keeps prompts of a user differs by profile: they are written for projects only.
    if (scope === 'user') return {};
    const { command, args } = serverCommand(launch);
    const at = { root: project, path: join(project, '.vscode', 'mcp.json') };
    return {
      entry: [entryPiece(at, 'servers', { type: 'stdio', command, args })],
      command: skillPieces({
        root: project,
        folder: join(project, '.github', 'prompts'),
        name: ({ name }) => `${name}.prompt.md`,
        text: promptText,
        style: 'hash',
      }),
    };
  },
  part: (wanted) => (wanted.scope === 'user' ? userPart(wanted) : undefined),
  notes: (scope) =>
    scope === 'user'
      ? [
          '/handoff and /pickup are prompt files of a project: "handover install vscode --scope project" in its folder writes them.',
        ]
      : ['VS Code asks once whether it may start the server.'],
};

function userPart({ launch }: Wanted): ProgramPart {
  const value = serverCommand(launch);
  return {
    program: 'code',
    file: 'the user configuration of VS Code',
    value,
    add: ['--add-mcp', JSON.stringify({ name: 'handover', type: 'stdio', ...value })],
    byHand: 'in VS Code, "MCP: Open User Configuration", and delete "handover" there',
    present: () => undefined,
  };
}
