/** What the local socket holds of lines that never become whole, over all of its connections. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { type LineClient, type LocalSocket, openLocalSocket } from './support/local-socket.js';

const OF_CALLER = fixedLimits.mcpUnfinishedBytesOfCaller.value;
const HALF = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"${'a'.repeat(4_000_000)}`;
const REST = '"}}\n';

let doors: Doors;
let local: LocalSocket;
beforeEach(async () => {
  doors = await openDoors();
  local = await openLocalSocket(doors);
});
afterEach(async () => {
  vi.useRealTimers();
  await local.close();
  await doors.close();
});

const answerTo = ({ answers }: LineClient) => answers.find(({ id }) => id === 7);

it('hardening: half lines on the local socket have one budget for each agent, and who has no room is told', async () => {
  const clients: LineClient[] = [];
  for (let n = 0; n < 12; n++) {
    const client = await local.connect('mallory');
    client.socket.write(HALF);
    clients.push(client);
  }
  await until(() => clients.every(({ socket }) => socket.writableLength === 0));
  for (const { socket } of clients.slice(6)) socket.write(REST);
  await until(() => clients.slice(6).every(answerTo));
  expect(doors.mcp.unfinished.most).toBeGreaterThan(OF_CALLER / 2);
  expect(doors.mcp.unfinished.most).toBeLessThanOrEqual(OF_CALLER);
  expect(
    clients.filter((client) => /unfinished messages/.test(JSON.stringify(answerTo(client) ?? ''))),
  ).not.toEqual([]);

  const alice = await local.connect('alice');
  await alice.initialize();
  for (const { socket } of clients) socket.destroy();
  await until(() => doors.mcp.unfinished.inAll === 0);
});

it('hardening: a half line on the local socket is kept for a bounded time, then answered with the reason', async () => {
  const client = await local.connect('mallory');
  await client.initialize();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  client.socket.write(HALF);
  const settled = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  };
  await settled(() => doors.mcp.unfinished.inAll >= HALF.length);
  vi.advanceTimersByTime(fixedLimits.mcpUnfinishedMs.value);
  expect(doors.mcp.unfinished.inAll).toBe(0);
  client.socket.write(REST);
  await settled(() => answerTo(client) !== undefined);
  expect(JSON.stringify(answerTo(client))).toContain('30 seconds');
});

it('hardening: the local socket has a most of connections', async () => {
  const most = fixedLimits.localConnections.value;
  const clients = await Promise.all(Array.from({ length: most }, () => local.connect('mallory')));
  expect(local.door.connections).toBe(most);
  const refused = connect(local.path()).on('error', () => {});
  await new Promise((resolve) => refused.once('close', resolve));
  expect(local.door.connections).toBe(most);
  for (const { socket } of clients) socket.destroy();
  await until(() => local.door.connections === 0);
  expect((await local.connect('alice')).answers).toHaveLength(1);
});

it('hardening: first messages of assistants without a name have one budget, too', async () => {
  const most = fixedLimits.localOpeningBytesInAll.value;
  const piece = 'a'.repeat(1_000_000);
  const clients: LineClient[] = [];
  for (let n = 0; n < most / piece.length + 4; n++) {
    const client = await local.connect();
    client.socket.write(piece);
    clients.push(client);
  }
  await until(() => clients.filter(({ closed }) => closed).length >= 4);
});
