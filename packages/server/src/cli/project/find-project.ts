/**
 * Which project a window works in: `--project`, else what the assistant's program says, else the folder that the command
 * was started in. The home folder and folders of the system are no project: programs start there when they know none.
 */
import { realpathSync, statSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import { isProjectName, isRoot, type Project } from '../../services/project.js';
import { type GitFolder, gitFolderOf } from './git-folder.js';
import { canonicalOrigin, isLocalPath, projectId } from './origin-id.js';

export interface ProjectSources {
  /** `--project` */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly home: string;
}

export interface FoundProject {
  readonly project: Project;
  readonly head?: string;
}

export function findProject(sources: ProjectSources): FoundProject | undefined {
  const { flag, env, workingFolder, home } = sources;
  const root = [flag, env.CLAUDE_PROJECT_DIR, workingFolder]
    .filter((path): path is string => path !== undefined && isExpanded(path))
    .map(realFolder)
    .find((path) => path !== undefined);
  if (root === undefined || isNobodys(root, realFolder(home))) return undefined;
  const git = gitFolderOf(root);
  // A repository that holds the whole home folder says nothing of a project inside it.
  const own = git && !isNobodys(git.root, realFolder(home)) ? git : undefined;
  const name = nameOf(own?.root ?? root);
  if (!isProjectName(name)) return undefined;
  const project = { id: idOf(root, own), name, ...(isRoot(root) && { root }) };
  return { project, ...(own?.head !== undefined && { head: own.head }) };
}

/** Clients that do not fill in `${workspaceFolder}` pass it on as it stands. */
const isExpanded = (path: string): boolean => path !== '' && !path.includes('${');

/** What somebody wrote is refused when it is no folder; what a program says is passed over. */
export const projectFlaw = (flag: string | undefined): string | undefined =>
  flag !== undefined && isExpanded(flag) && realFolder(flag) === undefined
    ? `--project names no folder: ${flag}`
    : undefined;

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function idOf(root: string, git: GitFolder | undefined): string {
  if (git?.origin === undefined) return projectId('dir', git?.root ?? root);
  const origin = canonicalOrigin(git.origin);
  return projectId('git', isLocalPath(git.origin) ? resolve(git.root, origin) : origin);
}

const nameOf = (root: string): string => basename(root).replace(/(?<=.)\.git$/, '');

/** Themselves only: people keep projects below these. */
const SHARED = ['/home', '/Users', '/root', '/tmp', '/private/tmp', '/var', '/opt', '/srv', '/mnt', '/media'];
/** With everything below them. */
const OF_THE_SYSTEM = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
].concat(['/System', '/Library', '/Applications', '/private/etc', '/private/var/root']);

function isNobodys(path: string, home: string | undefined): boolean {
  if (path === sep || path === home || SHARED.includes(path)) return true;
  return OF_THE_SYSTEM.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
