/** The command lines that are written into files of assistants. Paths are absolute: desktop applications have no PATH. */
import { fileURLToPath } from 'node:url';
import { shellWord } from '@handover/core';
import { packageFile } from '../../platform/package-root.js';
import type { RemotePlace } from '../remote/post-api.js';
import { placeFlags } from './elsewhere.js';

export interface Launch {
  readonly node: string;
  readonly script: string;
  /** Empty: it is whose token it is, and no server has said whose. */
  readonly agent: string;
  /** A server elsewhere. */
  readonly elsewhere?: RemotePlace;
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
  const { node, script, elsewhere } = launch;
  const where = elsewhere
    ? [...placeFlags(elsewhere), ...more]
    : ['--agent', launch.agent, ...more, ...folderFlag(launch)];
  return { command: node, args: [script, 'mcp', ...where] };
}

/** For a shell. */
export function hookCommand(launch: Launch, client: string, event: string): string {
  const { node, script, agent, elsewhere } = launch;
  const where = elsewhere ? placeFlags(elsewhere) : ['--agent', agent];
  // What could not be sent waits in the data folder, also where the server is elsewhere.
  const words = [node, script, 'hook', event, '--client', client, ...where, ...folderFlag(launch)];
  return words.map(shellWord).join(' ');
}

const folderFlag = ({ dataDir }: Launch): readonly string[] => (dataDir ? ['--data-dir', dataDir] : []);
