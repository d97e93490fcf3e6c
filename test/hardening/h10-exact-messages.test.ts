/**
 * Arguments were stored otherwise than they were sent, and the answer was success: an amount of 1e400 became null, one
 * beyond 2^53 another number, and of two members of one name the last was taken. Such messages are now refused.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../packages/server/src/server.js';
import { openServer } from '../kit/server.js';
import { until } from '../kit/until.js';
import { B2 } from '../operations/support/examples.js';
import { type Doors, openDoors } from './support/doors.js';
import { openLocalSocket } from './support/local-socket.js';
import { RawMcp } from './support/raw-mcp.js';

const CASES = [
  ['{"amount":1e400}', 'payload.amount is the number 1e400'],
  ['{"list":[{"z":-0}]}', 'payload.list.0.z is the number -0'],
  ['{"amount":100000000000000000001}', 'payload.amount is the number 100000000000000000001'],
  ['{"amount":1,"to":"a","amount":2}', 'payload.amount is there twice'],
  ['{"__proto__":1,"__proto__":2}', 'payload.__proto__ is there twice'],
] as const;

const call = (id: number, payload: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"create_operation_handoff",` +
  `"arguments":{"type":"transfer","network":"xgr","chainId":1643,"payload":${payload}}}}`;

describe('hardening:H10 what is stored is what was sent', () => {
  let server: Server;
  let alice: RawMcp;
  beforeAll(async () => {
    server = await openServer();
    alice = await new RawMcp(server.httpUrl, 'alice').open();
  });
  afterAll(() => server.close(AbortSignal.timeout(1_000)));
  const stored = async () =>
    JSON.stringify(await alice.tool('list_recent_operations', {})).split('"op_').length;

  it('a payload that survives is stored', async () => {
    const before = await stored();
    const payload = '{"amount":1e5,"__proto__":1,"of":[{"a":1},{"a":1}],"large":"100000000000000000001"}';
    const { rpc } = await alice.post(call(7, payload));
    expect(rpc.result.isError, JSON.stringify(rpc)).not.toBe(true);
    expect(await stored()).toBe(before + 1);
  });

  it.each(CASES)('%s is refused over HTTP, with the place', async (payload, said) => {
    const before = await stored();
    const { status, rpc } = await alice.post(call(7, payload));
    expect([status, rpc]).toMatchObject([
      200,
      {
        id: 7,
        error: { code: -32_602, message: expect.stringContaining(`params.arguments.${said}`) },
      },
    ]);
    expect(await stored()).toBe(before);
  });

  it('a large bundle is looked at likewise, in its thread', async () => {
    const bundle = JSON.stringify({ ...B2(), note: Array(12_000).fill(0) });
    for (const [end, said] of [
      ['"list":[{"a":1,"a":1}]}', 'bundle.list.0.a is there twice'],
      ['"amount":-0}', 'bundle.amount is the number -0'],
    ]) {
      const args = `{"bundle":${bundle.slice(0, -1)},${end},"chainId":"1643"}`;
      const name = 'validate_xgr_multibundle';
      const body = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
      const { rpc } = await alice.post(body);
      expect(rpc).toMatchObject({
        id: 8,
        error: { code: -32_602, message: expect.stringContaining(`params.arguments.${said}`) },
      });
    }
  });
});

describe('hardening:H10 what is stored is what was sent, over the local socket', () => {
  let doors: Doors;
  beforeAll(async () => {
    doors = await openDoors();
  });
  afterAll(() => doors.close());

  it('the message is refused under its id', async () => {
    const local = await openLocalSocket(doors);
    const client = await local.connect('alice');
    await client.initialize();
    const before = client.answers.length;
    client.socket.write(CASES.map(([payload], id) => `${call(id, payload)}\n`).join(''));
    await until(() => client.answers.length === before + CASES.length);
    expect(client.answers.slice(before)).toMatchObject(
      CASES.map(([, said], id) => ({
        id,
        error: { code: -32_602, message: expect.stringContaining(said) },
      })),
    );
    client.socket.destroy();
    await local.close();
  });
});
