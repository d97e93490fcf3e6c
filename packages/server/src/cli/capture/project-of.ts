import { homedir } from 'node:os';
import type { ProjectTag } from '../../services/project.js';
import { findProject } from '../project/find-project.js';
import type { SpooledEvent } from './spool.js';

/** The project of a conversation, by the folder that its client works in. Its path is not part of it. */
export function projectOf({ project, cwd }: Pick<SpooledEvent, 'project' | 'cwd'>): {
  readonly project?: ProjectTag;
} {
  if (project === undefined && cwd === undefined) return {};
  const sources = { flag: project, env: {}, workingFolder: cwd ?? project ?? '/', home: homedir() };
  const found = findProject(sources)?.project;
  return found ? { project: { id: found.id, name: found.name } } : {};
}
