/** Flags with one name and one meaning in all commands. A command takes those that change what it does. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AGENT_NAME_RULE, isAgentName } from '../../auth/agent-name.js';
import { dataPath } from '../../config/data-path.js';
import { requireOwnFolder } from '../../platform/require-own-folder.js';
import { wrongUsage } from './failure.js';

export interface DataFlags {
  readonly dataDir?: string;
  /** The older name of the same; it goes with the next minor version. */
  readonly data?: string;
}

export function withDataDir(command: Command, what = 'where the log lives; default as for serve'): Command {
  command.on('option:data', () => process.stderr.write('handover: --data is called --data-dir now\n'));
  return command
    .option('-d, --data-dir <folder>', what)
    .addOption(new Option('--data <folder>', 'the older name of --data-dir').hideHelp());
}

export const namedFolder = ({ dataDir, data }: DataFlags): string | undefined => dataDir ?? data;

export const dataFolder = (flags: DataFlags): string =>
  dataPath({ ...process.env, ...(namedFolder(flags) && { HANDOVER_DATA_DIR: namedFolder(flags) }) });

/** For whoever believes what lies in the folder, or writes there; `verify` and `export` also look at copies and at those of others. */
export function ownDataFolder(flags: DataFlags): string {
  const folder = dataFolder(flags);
  requireOwnFolder(folder);
  return folder;
}

export interface AgentFlags {
  readonly agent?: string;
  readonly as?: string;
}

export function withAgent(command: Command, what: string): Command {
  return command
    .option('--agent <name>', what)
    .addOption(new Option('--as <name>', 'another name of --agent').hideHelp());
}

export function namedAgent({
  as,
  agent = as ?? process.env.HANDOVER_AGENT_ID,
}: AgentFlags): string | undefined {
  if (agent === undefined || agent === '') return undefined;
  if (isAgentName(agent)) return agent;
  throw wrongUsage(`the agent's name must be ${AGENT_NAME_RULE}`);
}

export interface ServerFlags {
  readonly server?: string;
  readonly token?: string;
}

export const withServer = (command: Command): Command =>
  command
    .option('--server <url>', 'a server elsewhere, instead of the one of the data folder')
    .option('--token <@file>', 'the file with the token for --server; else HANDOVER_TOKEN');

/** Undefined: the server of the data folder is meant. */
export function namedServer({
  server,
  token,
}: ServerFlags): { readonly server: string; readonly token?: string } | undefined {
  if (server === undefined && token !== undefined)
    throw wrongUsage('--token is for a server elsewhere', 'Give --server, too');
  if (server === undefined) return undefined;
  const named = token ?? (process.env.HANDOVER_TOKEN || undefined);
  return { server, ...(named !== undefined && { token: named }) };
}

export interface JsonFlags {
  readonly json?: boolean;
}

export const withJson = (command: Command): Command =>
  command.option('--json', 'one JSON document on stdout; failures as JSON on stderr');

export const withTenant = (command: Command): Command =>
  command.option('--tenant <name>', 'whose data, where a server has several tenants', 'default');

export interface OutFlags {
  readonly out?: string;
  readonly force?: boolean;
}

export const withOut = (command: Command): Command =>
  command.option('--out <file>', 'write here instead of stdout').option('--force', 'overwrite the file');

export const withTimeout = (command: Command, defaultSecs: number): Command =>
  command.option('--timeout <secs>', 'how long to wait for the server', wholeSeconds, defaultSecs);

const MAX_SECS = 86_400;

function wholeSeconds(text: string): number {
  const secs = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && secs >= 1 && secs <= MAX_SECS) return secs;
  throw new InvalidArgumentError(`It must be a whole number of seconds from 1 to ${MAX_SECS}.`);
}
