/**
 * What a folder's git says, read from its files: no program is started, so it costs nothing and a missing git is no
 * failure. Worktrees share the repository that they belong to; a submodule is a repository of its own.
 */
import { basename, dirname, join } from 'node:path';
import { plainText } from '../../platform/plain-file.js';
import { remoteUrl } from './git-config.js';
import { configOf, type GitDir, gitDirOf, lineOf } from './git-dir.js';

export interface GitFolder {
  /** The folder that everybody who works in the repository shares: of a worktree, that of the repository itself. */
  readonly root: string;
  readonly origin?: string;
  /** The commit that is checked out. */
  readonly head?: string;
}

const PACKED_BYTES = 4 * 1_048_576;

/** Of the nearest repository at or above the folder. */
export function gitFolderOf(folder: string): GitFolder | undefined {
  const found = gitDirOf(folder);
  if (found === undefined) return undefined;
  const origin = remoteUrl(configOf(found.common), 'origin');
  const head = headOf(found);
  return {
    root: rootOf(found),
    ...(origin !== undefined && { origin }),
    ...(head !== undefined && { head }),
  };
}

/** A repository without files of its own, which only has worktrees, is its own folder. */
function rootOf({ folder, git, common, isOwn }: GitDir): string {
  if (git === common || !isOwn) return folder;
  return basename(common) === '.git' ? dirname(common) : common;
}

function headOf({ git, common }: GitDir): string | undefined {
  const head = lineOf(join(git, 'HEAD')) ?? '';
  const [, ref] = /^ref: (refs\/\S+)$/.exec(head) ?? [];
  if (ref === undefined) return commitIn(head);
  const packed = () =>
    plainText(join(common, 'packed-refs'), PACKED_BYTES, 'followed')
      ?.split('\n')
      .find((line) => line.endsWith(` ${ref}`));
  return commitIn(lineOf(join(git, ref)) ?? lineOf(join(common, ref)) ?? packed() ?? '');
}

const commitIn = (line: string): string | undefined => /^([0-9a-f]{40,64})\b/.exec(line)?.[1];
