/** Bodies that are announced and do not come, or never end, keep nobody out whose page sends the secret in the body. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { O1 } from '../operations/support/examples.js';
import { openWorld, secretIn, type World } from '../operations/support/world.js';

describe('hardening:H13', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  it.each([
    ['only announced', 0, 256],
    ['all but one byte of them', fixedLimits.pageBodyWithoutHeaderBytes.value - 1, 80],
  ])('hardening:H13 bodies of strangers, %s, keep no person out', async (_, bytes, connections) => {
    const { data } = await world.tool('alice', 'create_operation_handoff', O1());
    const path = `/api/operations/${data.id}/status`;
    const { port } = new URL(world.server.httpUrl);
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${fixedLimits.pageBodyWithoutHeaderBytes.value}\r\n\r\n`,
      );
      socket.write(' '.repeat(bytes));
      return socket;
    });
    await Promise.all(sockets.map((socket) => expect.poll(() => socket.bytesWritten).toBeGreaterThan(bytes)));
    const body = { secret: secretIn(data.operationUrl), status: 'opened' };
    const answers = [];
    // The body comes after its head, as it does from a browser.
    for (let n = 0; n < 5; n++) answers.push(await postSlowly(Number(port), path, JSON.stringify(body)));
    expect(answers).toEqual(answers.map(() => 200));
    for (const socket of sockets) socket.destroy();
  });
});

function postSlowly(port: number, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.once('data', (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]));
      socket.destroy();
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    setTimeout(() => socket.write(body), 20);
  });
}
