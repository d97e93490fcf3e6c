/**
 * The first line in each direction. The client says who it is and what it wants, the server says yes or why not. The
 * bytes after that belong to what the client asked for. Unknown fields are ignored, so that versions can differ.
 */
import { type Fields, isFields } from '@handover/core';
import { AGENT_NAME_RULE, isAgentName } from '../../auth/agent-name.js';
import { isToolSet, TOOL_SETS, type ToolSetName } from '../../auth/tool-sets.js';
import type { SettingDigests } from '../../config/setting-digests.js';
import { type Connection, isCommitId, isInstance } from '../../services/connection.js';
import { isProjectName, isProjectText, isRoot, type Project } from '../../services/project.js';

export const HELLO_VERSION = 1;

/** MCP, as over stdio; or an answer to a question. */
export type Wanted = 'mcp' | Question;

export type Question =
  /** What waits for the agent that the body names, or for every agent, in the answer. */
  | 'waiting'
  /** The webhooks that could not be delivered, in the answer. */
  | 'dead-webhooks'
  /** Something happened in a conversation of the agent, as the body says; at its start the answer is what waits. */
  | 'hook'
  /** Where a conversation of the agent stands, in the body; the answer says where it is stored. */
  | 'capture'
  /** A person gives the work of a silent owner to an agent, as the body says; the answer says what became of it. */
  | 'take'
  /** The receipt of the session that the body names, in the protocol's own format; the answer is its text, or why there is none. */
  | 'receipt'
  /** Which process it is. */
  | 'server'
  /** The same, and it ends. */
  | 'stop';

const QUESTIONS: readonly unknown[] = [
  ...([
    'waiting',
    'dead-webhooks',
    'hook',
    'capture',
    'take',
    'receipt',
    'server',
    'stop',
  ] satisfies Question[]),
];

/** Questions that are asked for an agent. */
export const ofAgent = (wanted: Question): boolean => wanted === 'hook' || wanted === 'capture';

/** Questions that go on in one further line. */
export const hasBody = (wanted: Question): boolean =>
  ['waiting', 'hook', 'capture', 'take', 'receipt'].includes(wanted);

const isWanted = (wanted: unknown): wanted is Wanted => wanted === 'mcp' || QUESTIONS.includes(wanted);

export interface Hello {
  readonly wanted: Wanted;
  readonly token: string;
  /** Absent: the MCP client's own name is used, once it gives one. */
  readonly agent?: string;
  /** Which window of the agent: 8 hex digits that it keeps for its whole life, also when it joins another server. */
  readonly instance?: string;
  readonly toolsets?: readonly ToolSetName[];
  readonly project?: Project;
  readonly client?: NonNullable<Connection['client']>;
  readonly head?: string;
  /** Of the settings in its environment. */
  readonly settings?: SettingDigests;
  readonly version: string;
}

export type Welcome =
  | {
      readonly ok: true;
      readonly version: string;
      readonly answer?: unknown;
      /** Of the settings that the server was started with. */
      readonly settings?: SettingDigests;
    }
  | { readonly ok: false; readonly error: string };

export const helloLine = (hello: Hello): string =>
  `${JSON.stringify({ handover: HELLO_VERSION, ...hello })}\n`;

export const welcomeLine = (welcome: Welcome): string => `${JSON.stringify(welcome)}\n`;

/** The hello, or what is wrong with it. */
export function readHello(line: string): Hello | string {
  const value = parsed(line);
  if (!isFields(value) || value.handover !== HELLO_VERSION) return 'this is not how a handover client begins';
  const { wanted, token, agent, toolsets, version } = value;
  if (!isWanted(wanted)) return 'this version of the server does not know what was asked for';
  if (typeof token !== 'string') return 'the token is missing';
  if (agent !== undefined && !isAgentName(agent)) return `the agent id must be ${AGENT_NAME_RULE}`;
  if (toolsets !== undefined && !isSets(toolsets))
    return `this version of the server knows the tool sets ${TOOL_SETS.join(', ')}`;
  return {
    wanted,
    token,
    ...(agent !== undefined && { agent }),
    ...(toolsets !== undefined && { toolsets }),
    ...aboutWindow(value),
    version: textOr(version, ''),
  };
}

const isSets = (value: unknown): value is readonly ToolSetName[] =>
  Array.isArray(value) && value.length <= TOOL_SETS.length && value.every(isToolSet);

/** What is only good to know: what cannot be read is left out, because another version may write it otherwise. */
function aboutWindow(value: Fields): Partial<Hello> {
  const { instance, head } = value;
  const project = readProject(value.project);
  const client = readClient(value.client);
  const settings = readDigests(value.settings);
  return {
    ...(isInstance(instance) && { instance }),
    ...(project && { project }),
    ...(client && { client }),
    ...(isCommitId(head) && { head }),
    ...(settings && { settings }),
  };
}

function readProject(value: unknown): Project | undefined {
  if (!isFields(value) || !isProjectName(value.id) || !isProjectName(value.name)) return undefined;
  const { id, name, root } = value;
  return { id, name, ...(isRoot(root) && { root }) };
}

function readClient(value: unknown): Hello['client'] {
  if (!isFields(value) || !isProjectText(value.name)) return undefined;
  const { name, session } = value;
  return { name, ...(isProjectText(session) && { session }) };
}

function readDigests(value: unknown): SettingDigests | undefined {
  if (!isFields(value)) return undefined;
  const digests = Object.entries(value).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return Object.fromEntries(digests);
}

export function readWelcome(line: string): Welcome {
  const value = parsed(line);
  if (!isFields(value)) return { ok: false, error: 'the server answered something else' };
  const settings = readDigests(value.settings);
  if (value.ok === true)
    return {
      ok: true,
      version: textOr(value.version, ''),
      answer: value.answer,
      ...(settings && { settings }),
    };
  return { ok: false, error: textOr(value.error, 'the server refused') };
}

/** Not String(): that calls what the other side wrote as `toString`. */
function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
