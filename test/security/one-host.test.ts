/** A request line that names a host: guards and audiences judge the same one. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Server } from '../../packages/server/src/server.js';
import { openServer } from '../kit/server.js';

let server: Server;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close(AbortSignal.timeout(1_000)));

/** The status of the answer. */
async function asked(target: string, host: string): Promise<number> {
  const { hostname, port } = new URL(server.httpUrl);
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let said = '';
  socket.on('data', (piece) => {
    said += piece;
  });
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]);
}

it.each(['/health', '/.well-known/oauth-protected-resource/mcp'])('of %s', async (path) => {
  const { host } = new URL(server.httpUrl);
  const plain = await asked(path, host);
  expect(plain).not.toBe(400);
  expect(await asked(`http://${host}${path}`, host)).toBe(plain);
  for (const other of [
    'https://other.example',
    'http://other.example',
    'http://user@other.example',
    'ftp://x',
  ])
    expect(await asked(`${other}${path}`, host), other).toBe(400);
  expect(await asked(`http://${host}@other.example${path}`, host)).toBe(400);
});
