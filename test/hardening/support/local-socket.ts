/** The local socket of the doors under test, and clients that write to it whatever they like. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSocketDoor } from '../../../packages/server/src/doors/socket/door.js';
import { readLocalToken } from '../../../packages/server/src/doors/socket/local-token.js';
import { findSocket } from '../../../packages/server/src/doors/socket/socket-place.js';
import { until } from '../../kit/until.js';
import type { Doors } from './doors.js';
import { uncounted } from './parses.js';
import type { Wire } from './raw-mcp.js';

export type LocalSocket = Awaited<ReturnType<typeof openLocalSocket>>;

export async function openLocalSocket({ mcp, log, deps }: Doors) {
  const folder = mkdtempSync(join(tmpdir(), 'handover-lines-'));
  /** The server's side of each connection that speaks MCP. */
  const served: Socket[] = [];
  const door = createSocketDoor({
    folder,
    version: 'test',
    log,
    audit: deps.audit,
    settings: () => ({}),
    now: deps.now,
    mcp: (input, output, principal, connection) => {
      served.push(output as Socket);
      return mcp.serve({ input, output }, principal, connection).closed;
    },
    answer: async () => ({}),
  });
  await door.listen();
  return {
    door,
    served,
    path: () => findSocket(folder) ?? '',
    connect: (agent?: string) => LineClient.connect(folder, agent),
    async close(): Promise<void> {
      await door.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export class LineClient {
  readonly socket: Socket;
  /** Every line that has come, the welcome first. */
  readonly answers: Wire[] = [];
  closed = false;
  #begun = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8').on('data', (part) => {
      const lines = `${this.#begun}${part}`.split('\n');
      this.#begun = lines.pop() ?? '';
      this.answers.push(...lines.map((line) => uncounted(line)));
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        this.closed = true;
      });
  }

  static async connect(folder: string, agent?: string, instance?: string): Promise<LineClient> {
    const client = new LineClient(connect(findSocket(folder) ?? ''));
    const token = readLocalToken(folder);
    client.say({ handover: 1, wanted: 'mcp', token, version: 'test', agent, instance });
    await until(() => client.answers.length === 1);
    return client;
  }

  say(...messages: readonly object[]): void {
    this.socket.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  async initialize(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    this.say({ jsonrpc: '2.0', id: 'first', method: 'initialize', params });
    this.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await until(() => this.answers.some(({ id }) => id === 'first'));
  }
}
