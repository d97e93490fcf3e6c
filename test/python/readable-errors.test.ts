/** Every error of every tool reaches clients of the Python SDKs, which hold results against the schemas they have read. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { RejectionCode } from '@handover/core';
import { afterAll, expect, it } from 'vitest';
import { serveMcpConnection } from '../../packages/server/src/doors/mcp/stdio.js';
import { MCP_STATUS, McpErrorCode } from '../../packages/server/src/doors/status-table.js';
import { plainConnection } from '../kit/connections.js';
import { valueIn } from '../kit/mcp-results.js';
import { admin } from '../kit/principals.js';
import { failingDoor } from '../mcp/support/failing-door.js';
import { PYTHON_SDKS, PythonClient, pythonSdk } from './mcp-sdk.js';
import { FIRST_INSTALL_MS } from './run-python.js';

const door = failingDoor();
const server = createServer((socket) => {
  socket.on('error', () => {});
  serveMcpConnection(door, { input: socket, output: socket }, admin('someone'), plainConnection);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const { port } = server.address() as AddressInfo;

/** Between the client's pipe and the socket above. */
const PIPE = `const s = require('node:net').connect(${port}, '127.0.0.1'); process.stdin.pipe(s); s.pipe(process.stdout);`;

it.each(PYTHON_SDKS)(
  'assistants:E1 every tool × every code, the Python SDK %s',
  async (sdk) => {
    const place = await pythonSdk(sdk);
    if (!place) return;
    const client = await PythonClient.connect(place, [process.execPath, '-e', PIPE]);
    const names = await client.listTools();
    expect(names.length).toBeGreaterThan(30);
    const codes = [...Object.values(RejectionCode), undefined];
    const seen = new Set<string>();
    for (const name of names) {
      const answers = await Promise.all(
        codes.map((code) => client.callTool({ name, arguments: code ? { code } : {} })),
      );
      for (const [index, code] of codes.entries()) {
        const errorCode = code ? MCP_STATUS[code] : McpErrorCode.INTERNAL_ERROR;
        expect(valueIn(answers[index]), `${name} ${code}`).toMatchObject({ success: false, errorCode });
        seen.add(errorCode);
      }
    }
    expect([...seen].sort()).toEqual(Object.values(McpErrorCode).sort());
    await client.close();
  },
  FIRST_INSTALL_MS,
);
