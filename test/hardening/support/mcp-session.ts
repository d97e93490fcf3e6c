/** The 2025 revisions of MCP over HTTP, message by message, as a client that keeps no state would speak it. */
import { Agent, type IncomingMessage, request } from 'node:http';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export class RawMcp {
  readonly #url: URL;
  readonly #bearer: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: URL, bearer: string) {
    this.#url = url;
    this.#bearer = bearer;
  }

  /** The id of a new session. */
  async open(): Promise<string> {
    const { headers } = await this.post(INITIALIZE);
    const id = String(headers['mcp-session-id']);
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, id);
    return id;
  }

  call(session: string, method: string, params: object): Promise<RawAnswer> {
    return this.post({ jsonrpc: '2.0', id: 2, method, params }, session);
  }

  post(message: object, session?: string): Promise<RawAnswer> {
    return this.#send('POST', session, JSON.stringify(message));
  }

  end(session: string): Promise<RawAnswer> {
    return this.#send('DELETE', session);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, session: string | undefined, body?: string): Promise<RawAnswer> {
    const headers = {
      ...HEADERS,
      authorization: `Bearer ${this.#bearer}`,
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(this.#url, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      asked.on('error', reject).end(body);
    });
  }
}
