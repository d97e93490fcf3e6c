import { isFields, normalForm } from '@handover/core';
import { isRefusedName, REFUSED_NAMES_RULE } from '../../auth/agent-name.js';
import { jsonLimits } from '../../config/json-limits.js';
import { parseBounded } from '../../platform/json/parse-bounded.js';

/**
 * The agent id of an assistant that was started without one: the name that it gives in its first message, in either
 * era of MCP. The name is fixed for the life of the connection. Two windows of one assistant are one agent: both write to
 * what it owns, and each entry keeps which window it came from.
 */

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const MAX_LENGTH = 100;
const MAX_DEPTH = 1_000;

export interface Opening {
  /** For an error answer; undefined for a notification, or for a line that is not a message. */
  readonly id?: string | number;
  readonly name?: string;
}

export function readOpening(line: string): Opening {
  const parsed = parseBounded(line, jsonLimits(MAX_DEPTH));
  const message = 'value' in parsed ? parsed.value : undefined;
  if (!isFields(message)) return {};
  const { id, params } = message;
  const name = isFields(params) ? nameIn(params) : undefined;
  return {
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
    ...(name !== undefined && { name }),
  };
}

function nameIn(params: Readonly<Record<string, unknown>>): string | undefined {
  const meta = isFields(params._meta) ? params._meta[CLIENT_INFO] : undefined;
  for (const info of [params.clientInfo, meta])
    if (isFields(info) && typeof info.name === 'string') return agentIdOf(info.name);
  return undefined;
}

/** Of a name that no assistant has, so much is read: a line may hold megabytes. */
const MAX_READ = 1_000;

/** `Claude Code` becomes `claude-code`, so that others can write it. Undefined if no usable character is left. */
export function agentIdOf(name: string): string | undefined {
  const id = normalForm(name.slice(0, MAX_READ), 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[-._]+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/[-.]+$/, '');
  return id === '' ? undefined : id;
}

export const NAMELESS =
  'this assistant does not say who it is: start it with "handover mcp --agent NAME", or set HANDOVER_AGENT_ID';

/** Undefined when nothing stands against the name. */
export const nameFlaw = (agent: string): string | undefined =>
  isRefusedName(agent)
    ? `this assistant calls itself ${agent}, which no agent may be called (${REFUSED_NAMES_RULE}): start it with ` +
      '"handover mcp --agent NAME", or set HANDOVER_AGENT_ID'
    : undefined;

/** A JSON-RPC error, so that the assistant shows the sentence. */
export function refusalLine(id: string | number | null, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message } })}\n`;
}
