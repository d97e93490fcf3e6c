/**
 * Where the git of a folder is, and whether it is the folder's own. A folder may come from a stranger, and its `.git` may
 * lead to any other repository of this user. Git itself writes into a repository elsewhere whose it is: into that of a
 * worktree where its `.git` is, into that of a submodule where its files are. What only the folder says proves nothing.
 */
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { plainText } from '../../platform/plain-file.js';
import { configValues } from './git-config.js';

export interface GitDir {
  /** The folder that has it. */
  readonly folder: string;
  readonly git: string;
  /** What worktrees share; of any other repository the same as `git`. */
  readonly common: string;
  readonly isOwn: boolean;
}

/** More than any file of git that holds one line. */
const LINE_BYTES = 65_536;
const CONFIG_BYTES = 4 * 1_048_576;

/** The nearest repository at or above the folder. */
export function gitDirOf(folder: string): GitDir | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = gitDirIn(at);
    if (found !== undefined || dirname(at) === at) return found;
  }
}

/** One line of a file of git. */
export const lineOf = (path: string): string | undefined =>
  plainText(path, LINE_BYTES, 'followed')?.split('\n', 1)[0]?.trim();

export const configOf = (git: string, name = 'config'): string =>
  plainText(join(git, name), CONFIG_BYTES, 'followed') ?? '';

/** `.git` is a folder, or a file that says where the folder is. */
function gitDirIn(folder: string): GitDir | undefined {
  const path = join(folder, '.git');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    if (!statSync(join(path, 'HEAD'), { throwIfNoEntry: false })) return undefined;
    const common = commonOf(path);
    const isOwn = lstatSync(path).isDirectory() && common === undefined;
    return { folder, git: path, common: common ?? path, isOwn };
  }
  const [, named] = /^gitdir: (.+)$/.exec((found && lineOf(path)) ?? '') ?? [];
  if (named === undefined) return undefined;
  const git = resolve(folder, named.trim());
  const common = commonOf(git);
  const isItsOwn = common === undefined ? hasFilesIn(git, folder) : hasWorktree(git, common, folder);
  return { folder, git, common: common ?? git, isOwn: isItsOwn && lstatSync(path).isFile() };
}

function commonOf(git: string): string | undefined {
  const named = lineOf(join(git, 'commondir'));
  return named === undefined ? undefined : resolve(git, named);
}

/** Also what a worktree says must be in the repository itself, and not beside it. */
function hasWorktree(git: string, common: string, folder: string): boolean {
  const link = resolve(git, lineOf(join(git, 'gitdir')) ?? '');
  return (
    isSameFolder(dirname(git), join(common, 'worktrees')) &&
    basename(link) === '.git' &&
    isSameFolder(dirname(link), folder)
  );
}

function hasFilesIn(git: string, folder: string): boolean {
  const worktrees = ['config', 'config.worktree'].flatMap((name) =>
    configValues(configOf(git, name), { section: 'core', name: 'worktree' }),
  );
  return worktrees.some((named) => isSameFolder(resolve(git, named), folder));
}

function isSameFolder(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first?.isDirectory() === true && first.dev === second?.dev && first.ino === second.ino;
}
