/** Raw tool calls of the newest revision over the stdin and stdout of a process. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Call } from './mcp-http-calls.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Reply {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean; readonly structuredContent: Record<string, unknown> };
}

export function stdioCaller(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply;
    if (reply.id === undefined) return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  let id = 0;
  const call: Call = (name, toolArgs) =>
    new Promise((resolve, reject) => {
      const params = { name, arguments: toolArgs, _meta: META };
      waiting.set(++id, (reply) => {
        if (!reply.result || reply.result.isError) reject(new Error(JSON.stringify(reply)));
        else resolve(reply.result.structuredContent);
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    });
  return { call, close: () => child.stdin.end() };
}
