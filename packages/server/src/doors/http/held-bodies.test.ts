/** Over real sockets: what the door holds of bodies that never end. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../config/fixed-limits.js';
import { createHarness } from './http-harness.test.helper.js';

const KIB = 1_024;
const PART = 512 * KIB;
const TOKENS = JSON.stringify(['alice', 'bob'].map((sender) => ({ token: `token-${sender}`, sender })));
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open() {
  const harness = createHarness({ env: { MACP_AUTH_TOKENS_JSON: TOKENS }, requestTimeoutMs: 20_000 });
  const { port } = await harness.door.listen();
  /** Begins a body and never ends it; resolves with the head of an answer, if one comes. */
  const begin = (bytes: number, credential?: string, announced = bytes + 1) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('data', (data) => resolve(data.toString().split('\r\n\r\n')[0] ?? ''));
      socket.write('POST /macp/envelope HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
      socket.write(credential === undefined ? '' : `Authorization: Bearer ${credential}\r\n`);
      socket.write(`Content-Length: ${announced}\r\n\r\n`);
      socket.write(' '.repeat(bytes));
    });
  return { ...harness, begin };
}

describe('bodies that never end', () => {
  it('hold no more of the server than their sender may, and cost others nothing', async () => {
    const { door, begin } = await open();
    const most = fixedLimits.heldBodyBytesOfCaller.value / PART;
    const answers: string[] = [];
    for (let n = 0; n < most + 4; n++) void begin(PART, 'token-alice').then((head) => answers.push(head));
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(4);
    for (const head of answers) {
      expect(head).toContain('HTTP/1.1 503');
      expect(head.toLowerCase()).toContain('retry-after: 1');
    }
    expect(door.bodies.most).toBeLessThanOrEqual(fixedLimits.heldBodyBytesOfCaller.value);
    const asked = door.app.request('/macp/envelope', {
      method: 'POST',
      headers: { host: 'localhost', authorization: 'Bearer token-bob', 'content-type': 'application/json' },
      body: '{}',
    });
    expect((await asked).status).toBe(400);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => door.bodies.inAll).toBe(0);
    await door.close(0);
  });

  it('count by what has arrived of them', async () => {
    const { door, begin } = await open();
    for (const credential of ['token-alice', undefined])
      for (let n = 0; n < 20; n++) void begin(10, credential, 60_000);
    await expect.poll(() => door.bodies.inAll).toBe(400);
    expect(door.bodies.most).toBe(400);
    await door.close(0);
  });

  it('of strangers have one share for an address, and the oldest are given up', async () => {
    const { door, begin } = await open();
    const each = fixedLimits.strangerBodyBytes.value - 1;
    const most = Math.floor(fixedLimits.heldBodyBytesOfAddress.value / each);
    const answers: string[] = [];
    for (let n = 0; n < most + 8; n++) void begin(each).then((head) => answers.push(head));
    await expect.poll(() => answers.length).toBe(8);
    expect(answers.every((head) => head.includes('HTTP/1.1 503'))).toBe(true);
    expect(door.bodies.most).toBeLessThanOrEqual(fixedLimits.heldBodyBytesOfAddress.value);
    await door.close(0);
  });
});
