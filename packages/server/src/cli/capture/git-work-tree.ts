/**
 * The files of a folder as git sees them, for looking only.
 *
 * W1. Git shows what is of this folder alone: its own repository, with its files in it.
 * W2. No program runs that a configuration names: besides what is switched off for every call, every filter is. Files that
 *     one changes may then be shown as changed although only their times are.
 */
import { realpathSync } from 'node:fs';
import { ownGitDir } from './own-git-dir.js';
import { type GitLimits, runGit } from './run-git.js';

export interface WorkTree {
  /** The folder at the top. */
  readonly top: string;
  /** The names of the filters that were switched off. */
  readonly filters: ReadonlySet<string>;
  /** What git says, or undefined when it fails or takes too long. */
  git(args: readonly string[], limits: GitLimits, cwd?: string): Promise<string | undefined>;
}

/** Undefined also where there is no git, or no repository. */
export async function openWorkTree(folder: string, limits: () => GitLimits): Promise<WorkTree | undefined> {
  const own = ownGitDir(folder);
  if (!own) return undefined;
  // A repository may be configured to have its files elsewhere.
  const top = (await runGit(folder, ['rev-parse', '--show-toplevel'], limits()))?.replace(/\n$/, '');
  if (top === undefined || !isSame(top, own.folder)) return undefined;
  const filters = filtersIn(await runGit(folder, ['config', '--list', '-z', '--name-only'], limits()));
  if (!filters) return undefined;
  const off = [...filters].flatMap(switchedOff);
  return { top, filters, git: (args, limits, cwd = folder) => runGit(cwd, [...off, ...args], limits) };
}

function isSame(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real;
  } catch {
    return false;
  }
}

/** They are arguments of a program. */
const MAX_FILTERS = 100;

/** Undefined: there are some that cannot be switched off. */
function filtersIn(names: string | undefined): ReadonlySet<string> | undefined {
  const found = names?.split('\0').flatMap((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []);
  const filters = new Set(found);
  // On the command line a name ends at the first of these.
  const cannot = filters.size > MAX_FILTERS || [...filters].some((name) => name.includes('='));
  return found === undefined || cannot ? undefined : filters;
}

const switchedOff = (name: string): readonly string[] =>
  ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((value) => ['-c', `filter.${name}.${value}`]);
