/** Messages to `/mcp` as a client of the older era sends them, without a client that would parse the answers. */
import { uncounted } from './parses.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
export type Wire = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC answer, from a body or from the last event of a stream. */
  readonly rpc: Wire;
}

export class RawMcp {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  #session: string | undefined;

  constructor(httpUrl: string, bearer: string) {
    this.#url = new URL('/mcp', httpUrl);
    this.#headers = {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  async open(): Promise<this> {
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const { headers } = await this.ask('initialize', params);
    this.#session = headers.get('mcp-session-id') ?? undefined;
    await this.post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return this;
  }

  ask(method: string, params: object): Promise<Answer> {
    return this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  }

  async tool(name: string, args: object): Promise<Wire> {
    const { rpc, status, text } = await this.ask('tools/call', { name, arguments: args });
    if (!rpc?.result) throw new Error(`${status} ${text.slice(0, 300)}`);
    return uncounted(rpc.result.content[0].text);
  }

  async post(body: string): Promise<Answer> {
    const headers = { ...this.#headers, ...(this.#session && { 'mcp-session-id': this.#session }) };
    const response = await fetch(this.#url, { method: 'POST', headers, body });
    const text = await response.text();
    const data = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? 'null');
    return { status: response.status, headers: response.headers, text, rpc: uncounted(data) };
  }
}
