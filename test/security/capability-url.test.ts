/**
 * The link to a page carries a secret. It stands in the fragment, which browsers do not send; at rest there is only a
 * hash of it; it opens one record, for a time, and gives no other right. What a browser does with it is in
 * test/e2e/attacks.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../packages/server/src/observe/log.js';
import type { Server } from '../../packages/server/src/server.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { PEOPLE } from '../kit/tokens.js';
import { O1 } from '../operations/support/examples.js';
import { secretIn } from '../operations/support/world.js';

type Data = Readonly<Record<string, unknown>>;

let server: Server;
let agent: Awaited<ReturnType<typeof connectHttp>>;
let now = Date.parse('2026-11-15T12:00:00Z');
const folder = temporaryFolder();
const lines: string[] = [];

beforeAll(async () => {
  server = await openServer({
    env: { ...PEOPLE, MCP_OPERATION_DEFAULT_TTL_SECONDS: '600' },
    flags: { dataDir: folder },
    now: () => now,
    log: createLog({ level: 'debug', stream: { write: (line: string) => void lines.push(line) } }),
  });
  agent = await connectHttp(new URL('/mcp', server.httpUrl), 'alice-token');
});
afterAll(async () => {
  await agent.close();
  await server.close(AbortSignal.timeout(1_000));
});

async function call(name: string, args: Data): Promise<Data> {
  const answer = await agent.callTool({ name, arguments: { ...args } });
  return (answer.structuredContent as { data: Data }).data;
}

async function newLink() {
  const made = await call('create_operation_handoff', O1());
  const url = String(made.operationUrl);
  return { id: String(made.id), url, secret: secretIn(url) };
}

const open = async (id: string, secret: string, scheme = 'Handoff') =>
  (
    await fetch(`${server.httpUrl}/api/operations/${id}`, {
      headers: { authorization: `${scheme} ${secret}` },
    })
  ).status;

it('has its secret in the fragment: the address that a browser sends has none', async () => {
  const { url, secret } = await newLink();
  const sent = new URL(url);
  expect(sent.hash).toBe(`#k=${secret}`);
  sent.hash = '';
  expect(sent.href).not.toContain(secret);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
});

it('is at rest as a hash only, in no file of the data folder and in no line of the log', async () => {
  const { id, secret } = await newLink();
  expect(await open(id, secret)).toBe(200);
  const raw = Buffer.from(secret, 'base64url');
  const forms = [
    Buffer.from(secret),
    raw,
    Buffer.from(raw.toString('hex')),
    Buffer.from(raw.toString('base64')),
  ];
  const files = readdirSync(folder).filter((name) => !name.endsWith('.sock'));
  const stored = Buffer.concat(files.map((name) => readFileSync(join(folder, name))));
  // The record itself is there, so this looks in the right place.
  expect(stored.includes(id)).toBe(true);
  for (const form of forms) expect(stored.includes(form)).toBe(false);
  expect(lines.join('\n')).not.toContain(secret);
});

it('opens one record and nothing else', async () => {
  const [one, other] = [await newLink(), await newLink()];
  expect([await open(one.id, one.secret), await open(one.id, other.secret)]).toEqual([200, 404]);
});

it('is no credential anywhere else, and a credential is no secret', async () => {
  const { id, secret } = await newLink();
  const bearer = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${server.httpUrl}/macp/session`, { headers: bearer })).status).toBe(401);
  const handoff = { authorization: `Handoff ${secret}` };
  expect((await fetch(`${server.httpUrl}/macp/session`, { headers: handoff })).status).toBe(401);
  await expect(connectHttp(new URL('/mcp', server.httpUrl), secret)).rejects.toThrow();
  const client = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
  const ack = await client.send({ ...start('a-secret-is-no-credential-1'), sender: '' }, secret);
  client.close();
  expect(ack.error?.code).toBe('UNAUTHENTICATED');
  expect([await open(id, secret, 'Bearer'), await open(id, 'alice-token', 'Bearer')]).toEqual([404, 404]);
});

it('is ended by cancelling: it shows that, and can do nothing more', async () => {
  const { id, secret } = await newLink();
  await call('cancel_operation_handoff', { operationId: id });
  const post = await fetch(`${server.httpUrl}/api/operations/${id}/status`, {
    method: 'POST',
    headers: { authorization: `Handoff ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'tx_requested', stepId: 'step_1', account: `0x${'33'.repeat(20)}` }),
  });
  expect(post.status).toBe(409);
  expect((await call('get_operation_status', { operationId: id })).status).toBe('cancelled');
});

it('lives as long as its operation', async () => {
  const { id, secret } = await newLink();
  expect(await open(id, secret)).toBe(200);
  now += 601_000;
  expect(await open(id, secret)).toBe(410);
});
