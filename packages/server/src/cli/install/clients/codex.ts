import { join, resolve } from 'node:path';
import type { Client, Surroundings } from '../client.js';
import { tomlString } from '../edit/toml-block.js';
import { hookCommand, serverCommand } from '../launch.js';
import { hookPiece, tablePiece } from '../piece.js';
import { skillFolders } from './skill-files.js';

const EVENTS = [
  ['SessionStart', 'session-start'],
  ['PreCompact', 'pre-compact'],
  ['Stop', 'stop'],
  ['SessionEnd', 'session-end'],
] as const;
/** The most that Codex gives a hook of SessionEnd; ours end by themselves after a second. */
const HOOK_SECS = 3;

const movedTo = ({ env }: Surroundings): string | undefined =>
  env.CODEX_HOME ? resolve(env.CODEX_HOME) : undefined;
const configFolder = (around: Surroundings): string => movedTo(around) ?? join(around.home, '.codex');

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  scopes: ['user'],
  facts: { read: '2026-08-22', in: 'its sources at 343074d' },
  folder: configFolder,
  pieces(wanted) {
    const { home, launch } = wanted;
    const folder = configFolder(wanted);
    const root = movedTo(wanted) ?? home;
    const { command, args } = serverCommand(launch);
    const lines = [`command = ${tomlString(command)}`, `args = [${args.map(tomlString).join(', ')}]`];
    return {
      entry: [tablePiece({ root, path: join(folder, 'config.toml') }, ['mcp_servers', 'handover'], lines)],
      hook: EVENTS.map(([event, name]) => {
        const hook = { event, command: hookCommand(launch, 'codex', name), timeout: HOOK_SECS };
        return hookPiece({ root, path: join(folder, 'hooks.json') }, hook, launch.script);
      }),
      command: skillFolders(home, join(home, '.agents', 'skills')),
    };
  },
  notes: () => [
    'Codex runs hooks only after you trust them: type /hooks in Codex once.',
    'Windows that are open take it up when they are started again.',
  ],
};
