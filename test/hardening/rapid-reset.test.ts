/**
 * HTTP/2 rapid reset: a client that opens streams and resets them at once makes work without being limited by the number of
 * open streams. Node's HTTP/2 counts the resets of a connection and ends it: 1,000 at once, then 33 a second.
 */
import { connect, constants } from 'node:http2';
import { afterEach, expect, it, vi } from 'vitest';
import { type Doors, openDoors } from './support/doors.js';

const STREAMS = 20_000;
/** The burst that Node allows, what it allows in the meantime, and what was under way when it ended the connection. */
const MOST = 3_000;

let doors: Doors;
afterEach(() => doors.close());

it('hardening: rapid resets end the connection before they cost much, and leave nothing behind', async () => {
  doors = await openDoors();
  const authenticated = vi.spyOn(doors.deps.authenticator, 'authenticate');
  const session = connect(`http://127.0.0.1:${doors.grpcPort}`);
  session.on('error', () => {});
  const goneAway = new Promise<number>((resolve) => session.on('goaway', resolve));
  const closed = new Promise<void>((resolve) => session.on('close', resolve));
  await new Promise((resolve) => session.once('remoteSettings', resolve));
  for (let n = 0; n < STREAMS && !session.closed && !session.destroyed; n++) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/macp.v1.MACPRuntimeService/StreamSession',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer mallory',
    });
    stream.on('error', () => {});
    stream.close(constants.NGHTTP2_CANCEL);
    if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const code = await Promise.race([goneAway, closed]);
  expect(code === undefined || code !== constants.NGHTTP2_NO_ERROR).toBe(true);
  await closed;
  expect(authenticated.mock.calls.length).toBeLessThan(MOST);
  await expect.poll(() => doors.deps.listeners.count).toBe(0);
  // Whoever else calls is served.
  await doors.client('alice').watch('watchRoots').next();
});
