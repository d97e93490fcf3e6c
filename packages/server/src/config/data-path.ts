import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from './setting-reader.js';

/**
 * Where a server in dev mode keeps its data, unless told: whoever reaches it reads everything as anybody, so it never finds what
 * the assistants of this user keep.
 */
export const devDataPath = (env: Environment): string =>
  isNamed(env) ? dataPath(env) : `${dataPath(env)}-dev`;

const isNamed = (env: Environment): boolean => Boolean(env.HANDOVER_DATA_DIR || env.MACP_DATA_DIR);

/** Every command of a user has the same default, so that two commands never use two stores. */
export function dataPath(env: Environment): string {
  const given = env.HANDOVER_DATA_DIR || env.MACP_DATA_DIR;
  if (given) return resolve(given);
  const xdg = env.XDG_DATA_HOME;
  // The XDG specification: a relative path is invalid and to be ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'handover');
  return join(env.HOME || homedir(), '.local', 'share', 'handover');
}
