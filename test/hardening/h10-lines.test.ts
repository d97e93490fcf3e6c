/**
 * One write to the local socket held the loop for a second, and a client that did not read made the server keep all of
 * its answers. Now lines take turns, nothing more is read from a client that takes nothing, and lines that hold no message
 * are bounded.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { until } from '../kit/until.js';
import { type Doors, highest, openDoors } from './support/doors.js';
import { type LocalSocket, openLocalSocket } from './support/local-socket.js';

const LINES_PER_TURN = fixedLimits.mcpLinesPerTurn.value;
const REFUSED_LINES = fixedLimits.mcpRefusedLines.value;
const OPENING_LINES = fixedLimits.localOpeningLines.value;
const WAITING_BYTES = fixedLimits.mcpWaitingBytesPerConnection.value;
const WRITE = 65_536;

let doors: Doors;
let local: LocalSocket;
beforeEach(async () => {
  doors = await openDoors();
  local = await openLocalSocket(doors);
});
afterEach(async () => {
  await local.close();
  await doors.close();
});

const { parse } = JSON;

/** How often JSON is parsed while something is done: in all, and at most in one turn of the loop. */
async function parsesPerTurn(what: () => Promise<void>): Promise<{ inAll: number; most: number }> {
  const parses = { inAll: 0, most: 0 };
  let inTurn = 0;
  let turn = setImmediate(function next() {
    inTurn = 0;
    turn = setImmediate(next);
  });
  JSON.parse = (text: string, ...rest) => {
    parses.inAll += 1;
    inTurn += 1;
    parses.most = Math.max(parses.most, inTurn);
    return parse(text, ...rest);
  };
  try {
    await what();
    return parses;
  } finally {
    JSON.parse = parse;
    clearImmediate(turn);
  }
}

describe('hardening:H10 lines of the local socket', () => {
  it.each([
    ['x\n', true],
    ['{}\n', false],
  ])('that are %j take turns, and too many of them end the connection with one error', async (line, told) => {
    const client = await local.connect('mallory');
    const parses = await parsesPerTurn(async () => {
      client.socket.write(line.repeat(WRITE / line.length));
      await until(() => client.closed);
    });
    // Between two turns of the test's counter there may be one of the connection's.
    expect(parses.most).toBeLessThanOrEqual(2 * LINES_PER_TURN);
    expect(parses.inAll).toBe(REFUSED_LINES + 1);
    const answers = client.answers.slice(1);
    expect(answers).toHaveLength(told ? REFUSED_LINES + 2 : 1);
    expect(answers.at(-1)).toMatchObject({
      id: null,
      error: { code: -32_600, message: expect.stringContaining(`more than ${REFUSED_LINES} lines`) },
    });
    await until(() => local.door.connections === 0);
  });

  it('that are empty count, too', async () => {
    const client = await local.connect('mallory');
    client.socket.write('\n'.repeat(REFUSED_LINES));
    await client.initialize();
    client.socket.write('\n');
    await until(() => client.closed);
    expect(client.answers.at(-1)).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  it('of an assistant that never says who it is have a turn each, and are few', async () => {
    const client = await local.connect();
    const parses = await parsesPerTurn(async () => {
      client.socket.write('\n'.repeat(WRITE));
      await until(() => client.closed);
    });
    expect(parses.most).toBeLessThanOrEqual(2);
    expect(parses.inAll).toBe(OPENING_LINES);
    expect(client.answers.slice(1)).toMatchObject([{ id: null, error: { code: -32_600 } }]);
    await until(() => local.door.connections === 0);
  });

  it('wait while the client does not read, and are all answered when it does', async () => {
    const client = await local.connect('mallory');
    await client.initialize();
    const requests = 400;
    const welcomed = client.answers.length;
    client.socket.pause();
    const [server] = local.served;
    if (!server) throw new Error('not served');
    const waiting = highest(() => server.writableLength);
    const list = { jsonrpc: '2.0', method: 'tools/list' };
    client.say(...Array.from({ length: requests }, (_, id) => ({ ...list, id })));
    await until(() => server.writableLength > WAITING_BYTES && server.isPaused());
    await new Promise((resolve) => setTimeout(resolve, 200));
    waiting.stop();
    client.socket.resume();
    await until(() => client.answers.length === welcomed + requests);
    const largest = JSON.stringify(client.answers.at(-1)).length + 1;
    expect(waiting.value).toBeLessThanOrEqual(WAITING_BYTES + largest);
    expect(requests * largest).toBeGreaterThan(4 * (WAITING_BYTES + largest));
    const ids = client.answers.slice(welcomed).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: requests }, (_, id) => id));
    client.socket.destroy();
  });
});
