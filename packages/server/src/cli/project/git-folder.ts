/**
 * What a folder's git says, read from its files: no program is started, so it costs nothing and a missing git is no
 * failure. Worktrees share the repository that they belong to; a submodule is a repository of its own.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { remoteUrl } from './git-config.js';

export interface GitFolder {
  /** The folder that everybody who works in the repository shares: of a worktree, that of the repository itself. */
  readonly root: string;
  readonly origin?: string;
  /** The commit that is checked out. */
  readonly head?: string;
}

const LARGEST = 4 * 1_048_576;

/** The nearest repository at or above the folder. */
export function gitFolderOf(folder: string): GitFolder | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = gitDirIn(at);
    if (git !== undefined) return read(at, git);
    if (dirname(at) === at) return undefined;
  }
}

/** `.git` is a folder, or a file that says where the folder is. */
function gitDirIn(folder: string): string | undefined {
  const path = join(folder, '.git');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return statSync(join(path, 'HEAD'), { throwIfNoEntry: false }) && path;
  const [, named] = found?.isFile() ? (/^gitdir: (.+)$/m.exec(text(path) ?? '') ?? []) : [];
  return named === undefined ? undefined : resolve(folder, named.trim());
}

function read(folder: string, git: string): GitFolder {
  const shared = text(join(git, 'commondir'))?.trim();
  const common = shared === undefined ? git : resolve(git, shared);
  const root = shared === undefined ? folder : rootOf(common);
  const origin = remoteUrl(text(join(common, 'config')) ?? '', 'origin');
  const head = headOf(git, common);
  return { root, ...(origin !== undefined && { origin }), ...(head !== undefined && { head }) };
}

/** A repository without files of its own, which only has worktrees, is its own folder. */
const rootOf = (common: string): string => (basename(common) === '.git' ? dirname(common) : common);

function headOf(git: string, common: string): string | undefined {
  const head = text(join(git, 'HEAD'))?.trim() ?? '';
  const [, ref] = /^ref: (refs\/\S+)$/.exec(head) ?? [];
  if (ref === undefined) return commitIn(head);
  const packed = () =>
    text(join(common, 'packed-refs'))
      ?.split('\n')
      .find((line) => line.endsWith(` ${ref}`));
  return commitIn(text(join(git, ref)) ?? text(join(common, ref)) ?? packed() ?? '');
}

const commitIn = (line: string): string | undefined => /^([0-9a-f]{40,64})\b/.exec(line)?.[1];

/** Undefined: there is no such file, it cannot be read, or it is no file of git. */
function text(path: string): string | undefined {
  try {
    return statSync(path).size > LARGEST ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
