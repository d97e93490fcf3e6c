/**
 * How a caller is connected. The principal says who is asking; this says from where: which window, in which project, with
 * which sets of tools. None of it is a right: it only chooses what is shown first.
 */
import type { ToolSetName } from '../auth/tool-sets.js';
import type { Project } from './project.js';

export interface Connection {
  readonly transport: 'stdio' | 'http';
  /** When it began; over HTTP without a session, this request. */
  readonly since: number;
  /** Which window of the agent: 8 hex digits. */
  readonly instance?: string;
  /** A pipe that outlives its server says requests again, so a call without a key gets one. */
  readonly repeats?: true;
  /** Which sets are listed; absent: all. */
  readonly toolsets?: ReadonlySet<ToolSetName>;
  readonly project?: Project;
  /** The assistant's program, and what that program calls its conversation. */
  readonly client?: { readonly name: string; readonly session?: string };
  /** The commit that the project's folder stood at when the connection began. */
  readonly head?: string;
  /** Settings of the caller's environment that the running server was started without, by name. */
  readonly ignoredSettings?: readonly string[];
}

/** What of it is kept with what somebody does. */
export type ConnectionFacts = Partial<Pick<Connection, 'project' | 'instance'>>;

/** 8 hex digits. */
export const isInstance = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}$/.test(value);

/** The id of a commit. */
export const isCommitId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
