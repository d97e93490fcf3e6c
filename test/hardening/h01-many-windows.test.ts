/** Many windows of one agent on the local socket: what they ask for begins call by call, and what is made of it at once is bounded. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { ok } from '../kit/outcomes.js';
import { agent } from '../kit/principals.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { type LineClient, type LocalSocket, openLocalSocket } from './support/local-socket.js';

const WINDOWS = 60;
const OF_CALLER = fixedLimits.mcpAnswerBytesOfCaller.value;
const EXPECTED = fixedLimits.mcpExpectedAnswerBytes.value;

let doors: Doors;
let local: LocalSocket;
beforeEach(async () => {
  doors = await openDoors();
  local = await openLocalSocket(doors);
  const mallory = agent('mallory');
  await ok(doors.handoffs.registerSession(mallory, { sessionKey: 'big', agentFrom: 'mallory' }));
  const content = 'x'.repeat(200_000);
  await ok(doors.handoffs.updateContext(mallory, { sessionKey: 'big', contextType: 'message', content }));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await local.close();
  await doors.close();
});

async function windows(count: number, who = 'mallory'): Promise<readonly LineClient[]> {
  const open = await Promise.all(Array.from({ length: count }, () => local.connect(who)));
  await Promise.all(open.map((client) => client.initialize()));
  return open;
}

const call = (id: number, name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args },
});
const read = (id: number) => call(id, 'readContext', { sessionKey: 'big', sequence: 1, maxTokens: 20_000 });
const answers = (clients: readonly LineClient[]) =>
  clients.flatMap(({ answers: all }) => all.filter(({ id }) => typeof id === 'number'));

/** How many calls begin in each turn of the event loop. */
function beginnings() {
  const perTurn = [0];
  const tick = () => {
    perTurn.push(0);
    turn = setImmediate(tick);
  };
  let turn = setImmediate(tick);
  vi.spyOn(doors.deps.loop, 'entered').mockImplementation((route) => {
    if (route.startsWith('mcp ')) perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1;
  });
  return {
    inAll: () => perTurn.reduce((sum, count) => sum + count, 0),
    most: () => Math.max(...perTurn),
    stop: () => clearImmediate(turn),
  };
}

describe('hardening:H1 many windows on the local socket', () => {
  it('that all ask at once begin call by call', async () => {
    const open = await windows(WINDOWS);
    const begun = beginnings();
    for (const client of open) client.say(read(1), call(2, 'whoAmI', {}));
    await until(() => answers(open).length === 2 * WINDOWS);
    begun.stop();
    expect(begun.inAll()).toBe(2 * WINDOWS);
    // Between two looks may lie the end of one turn and the begin of the next.
    expect(begun.most()).toBeLessThanOrEqual(2);
  });

  it('are answered as far as there is room for the answers, and in order', async () => {
    const open = await windows(12);
    const each = 20;
    for (const client of open) client.say(...Array.from({ length: each }, (_, id) => read(id)));
    await until(() => answers(open).length === 12 * each);
    for (const { answers: all } of open)
      expect(all.filter(({ id }) => typeof id === 'number').map(({ id }) => id)).toEqual(
        Array.from({ length: each }, (_, id) => id),
      );
    expect(doors.mcp.answers.most).toBeGreaterThanOrEqual(EXPECTED);
    expect(doors.mcp.answers.most).toBeLessThanOrEqual(OF_CALLER);
    await until(() => doors.mcp.answers.held === 0);
  }, 60_000);

  it('that take nothing of their answers hold no more than the share of their agent, and another agent is served', async () => {
    const open = await windows(WINDOWS);
    for (const { socket } of open) socket.pause();
    const begun = beginnings();
    for (const client of open) client.say(...Array.from({ length: 40 }, (_, id) => read(id)));
    await until(() => doors.mcp.answers.held > OF_CALLER - EXPECTED);
    const [alice] = await windows(1, 'alice');
    alice?.say(call(1, 'whoAmI', {}));
    await until(() => answers(alice ? [alice] : []).length === 1);
    begun.stop();
    expect(begun.inAll()).toBeLessThan((WINDOWS * 40) / 4);
    expect(doors.mcp.answers.most).toBeLessThanOrEqual(OF_CALLER + EXPECTED);
    for (const { socket } of open) socket.destroy();
    await until(() => doors.mcp.answers.held === 0);
  }, 60_000);

  it('whose calls are cancelled, or wait for room when they end, leave nothing behind', async () => {
    const open = await windows(WINDOWS);
    for (const { socket } of open.slice(1)) socket.pause();
    const [first] = open;
    first?.say(call(1, 'waitForHandoff', {}));
    await until(() => doors.mcp.answers.held > 0);
    first?.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => doors.mcp.answers.held === 0);
    for (const client of open.slice(1)) client.say(...Array.from({ length: 40 }, (_, id) => read(id)));
    await until(() => doors.mcp.answers.held > OF_CALLER - EXPECTED);
    for (const { socket } of open) socket.destroy();
    await until(() => doors.mcp.answers.held === 0 && local.door.connections === 0);
  }, 60_000);
});
