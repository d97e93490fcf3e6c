/**
 * A transcript is named by whoever calls the hook, so it is opened with care: it must be a plain file of this user below
 * the client's own folder, and no symbolic link. A pipe in its place does not make us wait. A hard link to another file of
 * this user is read: only this user can have made it there, and it is redacted like any other.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { NoPlainFile, openPlainFile } from '../../../platform/plain-file.js';
import type { HookClient } from '../clients.js';

export type OpenTranscript =
  | { readonly file: number; readonly bytes: number }
  /** Why it is not read. */
  | { readonly refused: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a client keeps its transcripts. */
export function transcriptFolder(client: HookClient, env: Environment, home: string): string {
  return client === 'claude'
    ? join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')
    : join(env.CODEX_HOME || join(home, '.codex'), 'sessions');
}

export function openTranscript(path: string, folder: string): OpenTranscript {
  const place = realPlace(path, folder);
  if (place === undefined) return { refused: `it is not below ${folder}` };
  try {
    const { file, stats } = openPlainFile(place, 'own');
    return { file, bytes: stats.size };
  } catch (error) {
    if (error instanceof NoPlainFile) return NOT_OURS;
    return { refused: `it cannot be opened (${(error as NodeJS.ErrnoException).code})` };
  }
}

const NOT_OURS: OpenTranscript = { refused: 'it is no plain file of this user' };

/** The file by its real folder, if that is the client's folder or below it. */
function realPlace(path: string, folder: string): string | undefined {
  try {
    const root = realpathSync(folder);
    const real = realpathSync(dirname(path));
    return `${real}${sep}`.startsWith(`${root}${sep}`) ? join(real, basename(path)) : undefined;
  } catch {
    return undefined;
  }
}
