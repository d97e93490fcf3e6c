import { join, resolve } from 'node:path';
import { isFields } from '@handover/core';
import { plainText } from '../../../platform/plain-file.js';
import type { Client, ProgramPart, Surroundings, Wanted } from '../client.js';
import { hookCommand, type ServerCommand, serverCommand } from '../launch.js';
import { entryPiece, hookPiece } from '../piece.js';
import { skillFolders } from './skill-files.js';

const EVENTS = [
  ['SessionStart', 'session-start'],
  ['PreCompact', 'pre-compact'],
  ['Stop', 'stop'],
  ['StopFailure', 'stop-failure'],
  ['SessionEnd', 'session-end'],
] as const;
/** Our hooks end by themselves after a second. Without a time of its own, SessionEnd gets one and a half. */
const HOOK_SECS = 5;
const MAX_STATE_BYTES = 64 * 1_048_576;

const movedTo = ({ env }: Surroundings): string | undefined =>
  env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : undefined;
const configFolder = (around: Surroundings): string => movedTo(around) ?? join(around.home, '.claude');
const stateFile = (around: Surroundings): string => join(movedTo(around) ?? around.home, '.claude.json');

const entry = ({ launch }: Wanted) => {
  const { command, args } = serverCommand(launch);
  return { type: 'stdio', command, args };
};

export const claude: Client = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  scopes: ['user', 'project'],
  facts: { read: '2026-08-22', in: 'the types of its agent SDK 0.3.325, and reports of others' },
  folder: configFolder,
  pieces(wanted) {
    const { scope, project, home, launch } = wanted;
    const isUser = scope === 'user';
    // Where its folder was moved, that is as much the user's own place as the home is.
    const root = isUser ? (movedTo(wanted) ?? home) : project;
    const folder = isUser ? configFolder(wanted) : join(project, '.claude');
    // What a project shares has no place for paths of one machine.
    const settings = join(folder, isUser ? 'settings.json' : 'settings.local.json');
    return {
      ...(!isUser && {
        entry: [entryPiece({ root, path: join(project, '.mcp.json') }, 'mcpServers', entry(wanted))],
      }),
      hook: EVENTS.map(([event, name]) => {
        const hook = { event, command: hookCommand(launch, 'claude', name), timeout: HOOK_SECS };
        return hookPiece({ root, path: settings }, hook, launch.script);
      }),
      command: skillFolders(root, join(folder, 'skills')),
    };
  },
  /** Its own file of the user is rewritten by every running window: only its program changes it. */
  part: (wanted) => (wanted.scope === 'user' ? userPart(wanted) : undefined),
  notes: (scope) => [
    'Windows that are open take it up when they are started again.',
    ...(scope === 'project' ? ['Claude Code asks once whether it may use the server of .mcp.json.'] : []),
  ],
};

function userPart(wanted: Wanted): ProgramPart {
  const json = JSON.stringify(entry(wanted));
  return {
    program: 'claude',
    file: stateFile(wanted),
    value: serverCommand(wanted.launch),
    add: ['mcp', 'add-json', '--scope', 'user', 'handover', json],
    remove: ['mcp', 'remove', '--scope', 'user', 'handover'],
    byHand: 'claude mcp remove --scope user handover',
    present: () => presentIn(stateFile(wanted)),
  };
}

/** Read only. What cannot be read is left to the program to judge. */
function presentIn(path: string): ServerCommand | undefined {
  try {
    const text = plainText(path, MAX_STATE_BYTES, 'followed') ?? '';
    const { mcpServers } = JSON.parse(text) as { mcpServers?: unknown };
    const found =
      isFields(mcpServers) && Object.hasOwn(mcpServers, 'handover') ? mcpServers.handover : undefined;
    if (found === undefined) return undefined;
    const { command = '', args = [] } = found as Partial<ServerCommand>;
    return { command, args };
  } catch {
    return undefined;
  }
}
