/** Raw tool calls of the newest revision over kept connections: what is measured is the server, not a client library. */
import { Agent, request as httpRequest } from 'node:http';

export type Call = (name: string, args: object) => Promise<Record<string, unknown>>;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function httpCaller(url: string, token: string, agent: Agent): Call {
  let id = 0;
  return (name, args) => {
    const params = { name, arguments: args, _meta: META };
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    };
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const { result } = JSON.parse(text) as {
            result?: { isError?: boolean; structuredContent: Record<string, unknown> };
          };
          if (!result || result.isError) reject(new Error(text));
          else resolve(result.structuredContent);
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  };
}

export const keptAgent = (sockets: number): Agent => new Agent({ keepAlive: true, maxSockets: sockets });
