/**
 * The first line in each direction. The client says who it is and what it wants, the server says yes or why not. The
 * bytes after that belong to what the client asked for. Unknown fields are ignored, so that versions can differ.
 */
import { isFields } from '@handover/core';
import { AGENT_NAME_RULE, isAgentName } from '../../auth/agent-name.js';

export const HELLO_VERSION = 1;

/** MCP, as over stdio; or an answer to a question. */
export type Wanted = 'mcp' | Question;

export type Question =
  /** The offers that wait for the agent, in the answer. */
  | 'inbox'
  /** The webhooks that could not be delivered, in the answer. */
  | 'dead-webhooks'
  /** Which process it is. */
  | 'server'
  /** The same, and it ends. */
  | 'stop';

const QUESTIONS: readonly unknown[] = ['inbox', 'dead-webhooks', 'server', 'stop'] satisfies Question[];

const isWanted = (wanted: unknown): wanted is Wanted => wanted === 'mcp' || QUESTIONS.includes(wanted);

export interface Hello {
  readonly wanted: Wanted;
  readonly token: string;
  /** Absent: the MCP client's own name is used, once it gives one. */
  readonly agent?: string;
  /** Which window of the agent: 8 hex digits that it keeps for its whole life, also when it joins another server. */
  readonly instance?: string;
  readonly version: string;
}

export type Welcome =
  | { readonly ok: true; readonly version: string; readonly answer?: unknown }
  | { readonly ok: false; readonly error: string };

export const helloLine = (hello: Hello): string =>
  `${JSON.stringify({ handover: HELLO_VERSION, ...hello })}\n`;

export const welcomeLine = (welcome: Welcome): string => `${JSON.stringify(welcome)}\n`;

/** The hello, or what is wrong with it. */
export function readHello(line: string): Hello | string {
  const value = parsed(line);
  if (!isFields(value) || value.handover !== HELLO_VERSION) return 'this is not how a handover client begins';
  const { wanted, token, agent, instance, version } = value;
  if (!isWanted(wanted)) return 'this version of the server does not know what was asked for';
  if (typeof token !== 'string') return 'the token is missing';
  if (agent !== undefined && !isAgentName(agent)) return `the agent id must be ${AGENT_NAME_RULE}`;
  return {
    wanted,
    token,
    ...(agent !== undefined && { agent }),
    ...(typeof instance === 'string' && INSTANCE.test(instance) && { instance }),
    version: textOr(version, ''),
  };
}

const INSTANCE = /^[0-9a-f]{8}$/;

export function readWelcome(line: string): Welcome {
  const value = parsed(line);
  if (!isFields(value)) return { ok: false, error: 'the server answered something else' };
  if (value.ok === true) return { ok: true, version: textOr(value.version, ''), answer: value.answer };
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
