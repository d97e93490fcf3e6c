/**
 * What the transport must know of a line: the id that an answer bears, and what the newer revisions of MCP want to see in
 * headers. The older ones have no `_meta` version; their headers belong to the session.
 */
import { isFields } from '@handover/core';

export interface MessageHead {
  readonly method?: string;
  /** As JSON; absent for notifications, answers, and what is no message. */
  readonly id?: string;
  /** The revision, when the request stands alone (newer era). */
  readonly revision?: string;
  /** The tool, prompt or resource that is meant. */
  readonly name?: string;
  /** The request that this notification cancels, as JSON. */
  readonly cancels?: string;
}

const REVISION = 'io.modelcontextprotocol/protocolVersion';
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

export function messageHead(line: string): MessageHead {
  const message = parsed(line);
  if (!isFields(message) || typeof message.method !== 'string') return {};
  const { method } = message;
  const params = isFields(message.params) ? message.params : {};
  const id = jsonId(message.id);
  const revision = isFields(params._meta) ? params._meta[REVISION] : undefined;
  const name = params[NAMED_BY.get(method) ?? ''];
  const cancels = method === 'notifications/cancelled' ? jsonId(params.requestId) : undefined;
  return {
    method,
    ...(id !== undefined && { id }),
    ...(typeof revision === 'string' && { revision }),
    ...(typeof name === 'string' && { name }),
    ...(cancels !== undefined && { cancels }),
  };
}

/** Headers of a request that stands alone; none for others. */
export function headersOf({ method, id, revision, name }: MessageHead): Readonly<Record<string, string>> {
  if (revision === undefined || method === undefined || id === undefined) return {};
  return {
    'mcp-protocol-version': headerText(revision),
    'mcp-method': headerText(method),
    ...(name !== undefined && { 'mcp-name': headerText(name) }),
  };
}

/** The protocol's own way to write in a header what a header cannot hold. */
function headerText(value: string): string {
  const encoded = value.startsWith('=?base64?') && value.endsWith('?=');
  const plain = !encoded && /^[\x20-\x7e]+$/.test(value) && value.trim() === value;
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

export const jsonId = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined;

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
