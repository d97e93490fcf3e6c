/**
 * Whether git would show only what is of a folder. A folder that a stranger made may lead git to another repository of this
 * user, as a whole or in a part: what it shows then belongs to a project that nobody named.
 */
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type GitDir, gitDirOf } from '../project/git-dir.js';

/** Undefined: it is another's, or there is none. */
export function ownGitDir(folder: string): GitDir | undefined {
  try {
    const found = gitDirOf(realpathSync(folder));
    return found?.isOwn && !leadsOut(found) ? found : undefined;
  } catch {
    // Something is not there, or a link leads nowhere: git itself makes none such.
    return undefined;
  }
}

/** From where git takes what it shows: commits and their files, names of files, the name of the branch. */
const SHOWN = /^(?:HEAD|index|sharedindex\..*|objects)$/;

function leadsOut({ git, common }: GitDir): boolean {
  const inside = [git, common].map((path) => `${realpathSync(path)}${sep}`);
  const isOut = (path: string) => !inside.some((folder) => realpathSync(path).startsWith(folder));
  const objects = join(common, 'objects');
  const links = [git, common].flatMap((folder) => linksIn(folder, SHOWN));
  return (
    hasAlternates(objects) || [...links, ...linksIn(objects), ...linksIn(join(objects, 'pack'))].some(isOut)
  );
}

function linksIn(folder: string, names = /^/): readonly string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && names.test(entry.name))
    .map(({ name }) => join(folder, name));
}

/** Another repository, from which it takes what it lacks. */
const hasAlternates = (objects: string): boolean =>
  (lstatSync(join(objects, 'info', 'alternates'), { throwIfNoEntry: false })?.size ?? 0) > 0;
