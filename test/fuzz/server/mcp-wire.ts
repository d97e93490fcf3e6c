/** MCP over HTTP by hand, in both eras. */
import type { Json } from '../values/json.js';
import { type Answer, exchange, requestBytes } from './http-wire.js';
import { messagesIn } from './judge.js';

export const NEWER = '2026-07-28';
export const OLDER = '2025-11-25';
const CLIENT = { name: 'fuzz', version: '1' };

export interface McpMessage {
  readonly method: string;
  readonly params?: { readonly [key: string]: Json };
  readonly id?: Json;
}

export const META: Json = {
  'io.modelcontextprotocol/protocolVersion': NEWER,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Each request of the newer era says everything about itself. */
export function newerBody({ method, params = {}, id = 1 }: McpMessage): Json {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: META } };
}

export function newerHeaders({ method, params = {} }: McpMessage): [string, string][] {
  const named = params.name ?? params.uri;
  return [
    ['MCP-Protocol-Version', NEWER],
    ['Mcp-Method', method],
    ...(typeof named === 'string' ? [['Mcp-Name', named] as [string, string]] : []),
  ];
}

export const INITIALIZE: McpMessage = {
  method: 'initialize',
  params: { protocolVersion: OLDER, capabilities: {}, clientInfo: CLIENT },
};

export function headersOf(bearer: string | undefined): [string, string][] {
  return [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...(bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`] as [string, string]]),
  ];
}

/** One call of a tool by a well-behaved client: its structured content. Throws when the call was refused. */
export async function callTool(
  base: URL,
  bearer: string,
  name: string,
  args: Json,
): Promise<Record<string, Json>> {
  const message = { method: 'tools/call', params: { name, arguments: args } };
  const answer = await post(base, [...headersOf(bearer), ...newerHeaders(message)], newerBody(message));
  const [said] = messagesIn(answer) as readonly {
    result?: { structuredContent?: Record<string, Json>; isError?: boolean };
  }[];
  const { structuredContent, isError = false } = said?.result ?? {};
  if (structuredContent && !isError) return structuredContent;
  throw new Error(`${name} was refused: HTTP ${answer.status} ${answer.body.slice(0, 400)}`);
}

export function post(
  base: URL,
  headers: readonly (readonly [string, string])[],
  body: Json,
): Promise<Answer> {
  const bytes = Buffer.from(JSON.stringify(body));
  return exchange(base, {
    bytes: requestBytes(base, { method: 'POST', path: '/mcp', headers, body: bytes }),
  });
}
