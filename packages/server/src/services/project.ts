/** The project that work belongs to: one inbox for each, and not one for all folders. */
import { hasUnseen, isBlank, isFields } from '@handover/core';

export interface Project {
  /** `git:` or `dir:` and 16 hex digits, or a name that somebody chose. */
  readonly id: string;
  readonly name: string;
  /** Where it is on the caller's machine. It is never stored. */
  readonly root?: string;
}

/** What a session or an offer keeps of it. */
export type ProjectTag = Pick<Project, 'id' | 'name'>;

/** Every project. */
export const ANY_PROJECT = '*';

/** Of an id, and of a name. */
export const PROJECT_CHARACTERS = 200;
const ROOT_CHARACTERS = 4_096;

/** Names stay names in lists and headings: one line, nothing that cannot be seen. */
export const isProjectText = (value: unknown): value is string =>
  typeof value === 'string' &&
  !isBlank(value) &&
  !hasUnseen(value) &&
  [...value].length <= PROJECT_CHARACTERS &&
  !/[\p{Cc}\p{Cs}]/u.test(value);

/** Of one project: a caller that says it is in all of them is in none. */
export const isProjectName = (value: unknown): value is string =>
  isProjectText(value) && value !== ANY_PROJECT;

export const isRoot = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= ROOT_CHARACTERS;

/** As a list row has it; undefined when it is none. */
export function projectTag(value: unknown): ProjectTag | undefined {
  if (!isFields(value) || !isProjectName(value.id) || !isProjectName(value.name)) return undefined;
  return { id: value.id, name: value.name };
}

/** Which projects somebody asks for: one by its id or name; nothing, or `*`, is all of them. */
export type WantedProject = string | undefined;

/** What has no project belongs to all of them: it was made where none was known. */
export function isInProject(tag: ProjectTag | undefined, wanted: WantedProject): boolean {
  if (tag === undefined || wanted === undefined || wanted === ANY_PROJECT) return true;
  return tag.id === wanted || tag.name === wanted;
}

/** Of those that are in a project: exactly its own, if there are any, else those that belong to none. */
export function closestTo<T extends { readonly project?: ProjectTag }>(
  found: readonly T[],
  project: ProjectTag | undefined,
): readonly T[] {
  const exact = found.filter((one) => one.project?.id === project?.id);
  return exact.length > 0 ? exact : found;
}
