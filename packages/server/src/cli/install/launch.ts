/** The command lines that are written into files of assistants. Paths are absolute: desktop applications have no PATH. */
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../platform/package-root.js';

export interface Launch {
  readonly node: string;
  readonly script: string;
  readonly agent: string;
  /** Only where it is not the one that every command takes by itself. */
  readonly dataDir?: string;
}

export const ownScript = (): string => fileURLToPath(packageFile('bin/handover.js'));

/** npx keeps packages for a while only. */
export const isShortLived = (script: string): boolean => script.includes('/_npx/');

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export function serverCommand(launch: Launch, more: readonly string[] = []): ServerCommand {
  const { node, script, agent } = launch;
  return { command: node, args: [script, 'mcp', '--agent', agent, ...more, ...folderFlag(launch)] };
}

/** For a shell. */
export function hookCommand(launch: Launch, client: string, event: string): string {
  const { node, script, agent } = launch;
  const words = [node, script, 'hook', event, '--client', client, '--agent', agent, ...folderFlag(launch)];
  return words.map(shellWord).join(' ');
}

const folderFlag = ({ dataDir }: Launch): readonly string[] => (dataDir ? ['--data-dir', dataDir] : []);

export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
