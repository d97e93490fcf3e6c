/** What `install` and `uninstall` have in common: for whom, where, and with which command lines. */
import { homedir } from 'node:os';
import { sep } from 'node:path';
import { type Command, Option } from 'commander';
import { dataPath } from '../../config/data-path.js';
import { wrongUsage } from '../conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  type JsonFlags,
  namedAgent,
} from '../conventions/flags.js';
import type { Client, PieceKind, Scope, Wanted } from './client.js';
import { ownScript } from './launch.js';
import type { Piece } from './piece.js';
import type { Insertion } from './record.js';

export interface ScopeFlags extends DataFlags, JsonFlags {
  readonly scope: Scope;
  readonly dryRun?: boolean;
}

export const withScope = (command: Command): Command =>
  command
    .addOption(
      new Option('--scope <scope>', 'for this user everywhere, or for the project in this folder')
        .choices(['user', 'project'])
        .default('user'),
    )
    .option('--dry-run', 'show what would change, as a unified diff, and change nothing');

/** `installed`: the name from before, so that a second run does not change who the assistant is. */
export function wantedFor(
  client: Client,
  flags: ScopeFlags & AgentFlags,
  known: readonly Insertion[],
): Wanted & { readonly folder: string } {
  const { scope } = flags;
  if (!client.scopes.includes(scope))
    throw wrongUsage(`${client.title} reads nothing from a project`, 'Leave --scope out');
  const folder = dataFolder(flags);
  const project = process.cwd();
  const isHere = ({ file }: Insertion) => scope === 'user' || file.startsWith(project + sep);
  const before = known.find((one) => one.client === client.name && one.scope === scope && isHere(one))?.agent;
  const asked = flags.agent ?? flags.as;
  const agent = (asked === undefined ? before : namedAgent({ agent: asked })) ?? client.name;
  // What the shell of today says of the data folder is not known to a desktop application.
  const isDefault = folder === dataPath({ HOME: process.env.HOME });
  const launch = {
    node: process.execPath,
    script: ownScript(),
    agent,
    ...(!isDefault && { dataDir: folder }),
  };
  return { home: homedir(), project, env: process.env, scope, launch, folder };
}

export function piecesOf(
  client: Client,
  wanted: Wanted,
  without: readonly PieceKind[] = [],
): readonly Piece[] {
  const { entry = [], hook = [], command = [] } = client.pieces(wanted);
  const isWanted = (kind: PieceKind) => !without.includes(kind);
  return [...entry, ...(isWanted('hook') ? hook : []), ...(isWanted('command') ? command : [])];
}
