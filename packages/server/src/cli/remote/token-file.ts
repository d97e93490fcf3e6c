/**
 * The file with the token for a server elsewhere. Only its user may read it. The token itself never stands on a command
 * line or in a setting: `ps` and the configuration files of assistants would show it.
 */
import { closeSync, type Stats } from 'node:fs';
import { NoPlainFile, type OpenFile, openPlainFile, readUpTo } from '../../platform/plain-file.js';
import { systemCause } from '../../platform/system-cause.js';
import { isOpenToOthers, isOurs } from '../../platform/whose.js';
import { wrongUsage } from '../conventions/failure.js';
import { tokenPlace } from './token-place.js';

const MAX_BYTES = 16_384;
/** What may stand behind `Bearer` (RFC 6750), and names of agents, which dev servers take. */
const TOKEN = /^[\x21-\x7e]+$/;
const HOW = 'Put it into a file that only you can read (chmod 600), and name that: --token @FILE';

/** The path, or a failure that says how a token is given. */
export function tokenPath(value: string): string {
  const path = tokenPlace(value);
  if (path === undefined) throw wrongUsage('a token is not given as it is: others would see it', HOW);
  return path;
}

export function readToken(path: string): string {
  const token = contentOf(path).trim();
  if (!TOKEN.test(token))
    throw wrongUsage(`${path} holds no token`, 'It must hold the token alone, in one line');
  return token;
}

function contentOf(path: string): string {
  const { file, stats } = opened(path);
  try {
    const flaw = flawOf(stats);
    if (flaw !== undefined)
      throw wrongUsage(`${path} ${flaw}, so its token is not used`, `chmod 600 ${path}`);
    const bytes = readUpTo(file, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) throw wrongUsage(`${path} is too large for a token`, HOW);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}

/** Links are followed: tokens that are mounted somewhere often have one in their place. */
function opened(path: string): OpenFile {
  try {
    return openPlainFile(path, 'followed');
  } catch (thrown) {
    if (thrown instanceof NoPlainFile) throw wrongUsage(`${path} is no file`, HOW);
    throw wrongUsage(`the token file ${path} cannot be read: ${systemCause(thrown) ?? 'unknown error'}`, HOW);
  }
}

function flawOf(stats: Pick<Stats, 'uid' | 'mode'>): string | undefined {
  if (!isOurs(stats)) return 'belongs to another user';
  return isOpenToOthers(stats) ? 'can be read by other users' : undefined;
}
