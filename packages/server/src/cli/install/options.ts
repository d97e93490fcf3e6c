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
  type ServerFlags,
} from '../conventions/flags.js';
import type { RemotePlace } from '../remote/post-api.js';
import type { Client, PieceKind, Scope, Wanted } from './client.js';
import { elsewhereNamed } from './elsewhere.js';
import { ownScript } from './launch.js';
import type { Piece } from './piece.js';
import type { Identity, Insertion } from './record.js';

export interface ScopeFlags extends DataFlags, JsonFlags, ServerFlags {
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

/** What was installed before in this place. */
function installedBefore(
  client: Client,
  { scope }: ScopeFlags,
  known: readonly Insertion[],
): Insertion | undefined {
  const isHere = ({ file }: Insertion) => scope === 'user' || file.startsWith(process.cwd() + sep);
  return known.find((one) => one.client === client.name && one.scope === scope && isHere(one));
}

/** The server elsewhere that is named now, else the one from before: a second run does not lead somewhere else. */
export function elsewhereFor(
  client: Client,
  flags: ScopeFlags & AgentFlags,
  known: readonly Insertion[],
): RemotePlace | undefined {
  const asked = flags.agent ?? flags.as;
  const agent = asked === undefined ? undefined : namedAgent({ agent: asked });
  const hasToken = flags.token !== undefined || Boolean(process.env.HANDOVER_TOKEN);
  // A server in dev mode takes the name for a token, so there must be one.
  const named = elsewhereNamed(flags, agent ?? (hasToken ? undefined : client.name));
  if (named) return named;
  const before = installedBefore(client, flags, known)?.elsewhere;
  return before && { ...before, ...(agent !== undefined && { agent }) };
}

/** Without a name the one from before stays: a second run does not change who the assistant is. */
export function wantedFor(
  client: Client,
  flags: ScopeFlags & AgentFlags,
  known: readonly Insertion[],
  /** Whose token it is, as the server says. */
  tokenOf?: string,
): Wanted & { readonly folder: string } {
  const { scope } = flags;
  if (!client.scopes.includes(scope))
    throw wrongUsage(`${client.title} reads nothing from a project`, 'Leave --scope out');
  const folder = dataFolder(flags);
  const before = installedBefore(client, flags, known);
  const elsewhere = elsewhereFor(client, flags, known);
  const asked = flags.agent ?? flags.as;
  const kept = before?.elsewhere?.server === elsewhere?.server ? before?.agent : undefined;
  const own = (asked === undefined ? kept : namedAgent({ agent: asked })) ?? client.name;
  // What the shell of today says of the data folder is not known to a desktop application.
  const isDefault = folder === dataPath({ HOME: process.env.HOME });
  const launch = {
    node: process.execPath,
    script: ownScript(),
    agent: elsewhere ? (tokenOf ?? elsewhere.agent ?? kept ?? '') : own,
    ...(elsewhere && { elsewhere }),
    ...(!isDefault && { dataDir: folder }),
  };
  return { home: homedir(), project: process.cwd(), env: process.env, scope, launch, folder };
}

/** For the record. */
export const identityOf = (client: Client, { scope, launch: { agent, elsewhere } }: Wanted): Identity => ({
  ...{ client: client.name, scope, agent },
  ...(elsewhere && { elsewhere }),
});

export function piecesOf(
  client: Client,
  wanted: Wanted,
  without: readonly PieceKind[] = [],
): readonly Piece[] {
  const { entry = [], hook = [], command = [] } = client.pieces(wanted);
  const isWanted = (kind: PieceKind) => !without.includes(kind);
  return [...entry, ...(isWanted('hook') ? hook : []), ...(isWanted('command') ? command : [])];
}
