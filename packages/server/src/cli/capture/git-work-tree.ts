/**
 * Whether git would look at the files beside its own `.git`. A repository may be configured to have its files elsewhere:
 * then what it shows are files of a folder that nobody named.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitLimits, runGit } from './run-git.js';

/** False also where there is no git, or no repository. */
export async function hasOwnFiles(folder: string, limits: GitLimits): Promise<boolean> {
  const top = (await runGit(folder, ['rev-parse', '--show-toplevel'], limits))?.replace(/\n$/, '');
  if (top === undefined || top === '') return false;
  try {
    return realpathSync(top) === repositoryOf(realpathSync(folder));
  } catch {
    return false;
  }
}

function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
