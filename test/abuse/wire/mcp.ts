/** MCP as an attacker speaks it: single messages, written by hand, in both eras. */
import { type Answer, type Ask, ask, bearer, post } from './http.js';

const VERSION = '2026-07-28';
const META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'abuse', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
});
const ACCEPT = { accept: 'application/json, text/event-stream' };

/** A request of the newer era; `params` is JSON text without its outer braces, so that anything can be written. */
export function mcpRequest(
  http: string,
  token: string,
  method: string,
  params: string,
  name?: string,
): Promise<Answer> {
  return post(`${http}/mcp`, newerBody(method, params), newerHeaders(token, method, name));
}

const newerBody = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params},"_meta":${META}}}`;

export function newerHeaders(token: string, method: string, name?: string): Record<string, string> {
  const named = name === undefined ? {} : { 'mcp-name': name };
  return { ...bearer(token), ...ACCEPT, 'mcp-protocol-version': VERSION, 'mcp-method': method, ...named };
}

/** The body of `subscriptions/listen` for these addresses. */
export const listenBody = (uris: readonly string[]): string =>
  newerBody('subscriptions/listen', `"notifications":${JSON.stringify({ resourceSubscriptions: uris })}`);

/** `args` is JSON text. */
export const callTool = (http: string, token: string, name: string, args: string): Promise<Answer> =>
  mcpRequest(http, token, 'tools/call', `"name":"${name}","arguments":${args}`, name);

/** What a tool answers; throws when it refuses. */
export async function useTool<T>(
  http: string,
  token: string,
  name: string,
  args: object,
  via: Ask = ask,
): Promise<T> {
  const params = `"name":"${name}","arguments":${JSON.stringify(args)}`;
  const headers = newerHeaders(token, 'tools/call', name);
  const { text, code } = await via(`${http}/mcp`, {
    method: 'POST',
    body: newerBody('tools/call', params),
    headers,
  });
  if (code !== 'OK') throw Object.assign(new Error(`${name}: ${code} ${text.slice(0, 300)}`), { code });
  const { result } = JSON.parse(text) as { result: { structuredContent: unknown } };
  return result.structuredContent as T;
}

const OLDER_VERSION = '2025-06-18';

/** One HTTP session of the older era. */
export class OlderSession {
  readonly #http: string;
  readonly #token: string;
  readonly id: string;

  private constructor(http: string, token: string, id: string) {
    this.#http = http;
    this.#token = token;
    this.id = id;
  }

  /** Rejects with the refusal. */
  static async open(http: string, token: string): Promise<OlderSession> {
    const params = {
      protocolVersion: OLDER_VERSION,
      capabilities: {},
      clientInfo: { name: 'abuse', version: '1' },
    };
    const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const answer = await post(`${http}/mcp`, hello, { ...bearer(token), ...ACCEPT });
    const id = answer.headers['mcp-session-id'];
    if (typeof id !== 'string') throw Object.assign(new Error(answer.code), { code: answer.code });
    const session = new OlderSession(http, token, id);
    await session.send({ method: 'notifications/initialized' });
    return session;
  }

  get headers(): Record<string, string> {
    const { id } = this;
    return { ...bearer(this.#token), ...ACCEPT, 'mcp-session-id': id, 'mcp-protocol-version': OLDER_VERSION };
  }

  send(message: object): Promise<Answer> {
    return post(`${this.#http}/mcp`, JSON.stringify({ jsonrpc: '2.0', ...message }), this.headers);
  }

  subscribe(uri: string): Promise<Answer> {
    return this.send({ id: 2, method: 'resources/subscribe', params: { uri } });
  }

  unsubscribe(uri: string): Promise<Answer> {
    return this.send({ id: 3, method: 'resources/unsubscribe', params: { uri } });
  }

  close(): Promise<Answer> {
    return ask(`${this.#http}/mcp`, { method: 'DELETE', headers: this.headers });
  }
}
