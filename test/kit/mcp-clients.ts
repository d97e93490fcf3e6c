/** MCP clients: the official one in both eras, over HTTP and over `handover mcp`, and the independent older one. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { BINARY, cleanEnv } from './handover-process.js';
import { checkingResults, valueIn } from './mcp-results.js';

export const ERAS = ['modern', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

const INFO = { name: 'handover-tests', version: '1.0.0' };

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

export function newClient(era: Era, name = INFO.name): Client {
  const options = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  return checkingResults(new Client({ ...INFO, name }, options));
}

/** In dev mode, `token` is the name of the agent. */
export async function connectHttp(
  url: URL,
  token: string,
  era: Era = 'modern',
  more: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = newClient(era);
  const requestInit = { headers: { ...bearer(token).headers, ...more } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

export async function connectOlder(url: URL, token: string): Promise<OlderClient> {
  const client = checkingResults(new OlderClient(INFO));
  await client.connect(new OlderTransport(url, { requestInit: bearer(token) }) as never);
  return client;
}

export const newDataFolder = (): string => mkdtempSync(join(tmpdir(), 'handover-mcp-'));

export interface StdioOptions {
  /** The client's name; the server derives the agent's id from it unless `--agent` is in `args`. */
  readonly name?: string;
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another build's command. */
  readonly binary?: string;
}

/** Through the real command, as an assistant would start it. */
export async function connectStdio(folder: string, options: StdioOptions): Promise<Client> {
  const { name, era = 'legacy', args = [], env = {}, binary = BINARY } = options;
  const client = newClient(era, name);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, 'mcp', '--data-dir', folder, ...args],
    env: cleanEnv({ HANDOVER_IDLE_SECS: '5', ...env }),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

export function connectStdioAs(agent: string, folder: string, era: Era): Promise<Client> {
  return connectStdio(folder, { era, args: ['--agent', agent] });
}

export interface Payload {
  readonly success: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what came over the wire, not the compiler
  readonly [key: string]: any;
}

/** Parses the text block of a camelCase tool. Throws when `isError` and `success` contradict one another. */
export function payloadOf(result: unknown): Payload {
  const payload = valueIn(result) as Payload;
  const { isError } = result as { isError?: boolean };
  if ((isError === true) === payload.success) throw new Error('isError and success contradict one another');
  return payload;
}

interface CanCall {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

export async function call(
  client: CanCall,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Payload> {
  return payloadOf(await client.callTool({ name, arguments: args }));
}

interface CanRead {
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export async function read(client: CanRead, uri: string): Promise<any> {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text);
}
