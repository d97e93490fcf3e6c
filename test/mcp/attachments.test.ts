/** What was sent with an offer is read by those it was sent to, through tools and resources, whichever door it came by. */
import { createHash, randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, startPayload } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { call, connectHttp, type Payload, read } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';

const server = await useMcpServer();
let alice: Client;
let bob: Client;
let mallory: Client;
const grpc = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
beforeAll(async () => {
  [alice, bob, mallory] = (await Promise.all(
    ['alice', 'bob', 'mallory'].map((name) => connectHttp(server.url, name)),
  )) as [Client, Client, Client];
});
afterAll(async () => {
  grpc.close();
  await Promise.all([alice.close(), bob.close(), mallory.close()]);
});

const DIFF = '--- a/x\n+++ b/x\n-old\n+new – ünï\n';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const digestOf = (bytes: string | Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

let serial = 0;
async function offered(more: object = {}): Promise<string> {
  const sessionKey = `attached-${serial++}`;
  await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
  await call(alice, 'updateContext', { sessionKey, contextType: 'message', content: 'one' });
  const offer = { sessionKey, targetAgent: 'bob', requestType: 'full_handoff', ...more };
  return (await call(alice, 'requestHandoff', offer)).handoffId;
}
const sent = (handoffId: string, more: object = {}) =>
  call(alice, 'sendHandoffContext', { handoffId, contentType: 'text/x-diff', content: DIFF, ...more });
const listed = async (client: Client, handoffId: string): Promise<Payload[]> =>
  (await call(client, 'getHandoff', { handoffId, include: ['attachments'] })).attachments;
const contents = async (client: Client, handoffId: string, n: number | string) =>
  (await client.readResource({ uri: `handoff://handoffs/${handoffId}/attachments/${n}` })).contents[0];

async function offeredOverGrpc(contexts: readonly { type: string; bytes: Buffer }[], reason = '') {
  const id = randomUUID();
  const said = { participants: ['alice', 'bob'], intent: 'watch the fleet' };
  const scope = 'night watch';
  const offer = { handoffId: 'h1', targetParticipant: 'bob', scope, reason };
  for (const message of [
    envelope(id, 'alice', 'SessionStart', startPayload(said)),
    envelope(id, 'alice', 'HandoffOffer', offer),
    ...contexts.map(({ type, bytes }) =>
      envelope(id, 'alice', 'HandoffContext', { handoffId: 'h1', contentType: type, context: bytes }),
    ),
  ])
    expect(await grpc.send({ ...message, timestampUnixMs: Date.now() })).toMatchObject({ ok: true });
  return { id, handoffId: `${id}:h1` };
}

it('assistants:M1 a diff sent by tool, read by the target before it accepts: tool, resource, package', async () => {
  const handoffId = await offered();
  await sent(handoffId, { name: 'fix.patch' });
  const row = {
    attachment: 1,
    name: 'fix.patch',
    contentType: 'text/x-diff',
    bytes: Buffer.byteLength(DIFF),
    digest: digestOf(DIFF),
    late: false,
    createdAt: expect.any(String),
  };
  expect(await listed(bob, handoffId)).toEqual([row]);
  const whole = await call(bob, 'getHandoff', { handoffId, include: ['package'] });
  expect(whole).toMatchObject({ package: { from: 'alice' }, attachments: [row], attachmentsTotal: 1 });
  expect(await read(bob, `handoff://handoffs/${handoffId}/package`)).toMatchObject({ attachments: [row] });
  expect(await contents(bob, handoffId, 1)).toMatchObject({ mimeType: 'text/x-diff', text: DIFF });
});

it('only the two sides, and only numbers that there are', async () => {
  const handoffId = await offered();
  await sent(handoffId);
  expect(await call(mallory, 'getHandoff', { handoffId, include: ['attachments'] })).toMatchObject({
    errorCode: 'HANDOFF_NOT_FOUND',
  });
  await expect(contents(mallory, handoffId, 1)).rejects.toMatchObject({ code: -32602 });
  for (const n of [0, 2, '01', '1e0', 'x', -1])
    await expect(contents(bob, handoffId, n), String(n)).rejects.toMatchObject({ code: -32602 });
  expect(await contents(alice, handoffId, 1)).toMatchObject({ text: DIFF });
});

it('assistants:M2 a PNG by gRPC is a blob with the same digest', async () => {
  const { handoffId } = await offeredOverGrpc([{ type: 'image/png', bytes: PNG }]);
  const whole = await call(bob, 'getHandoff', { handoffId, include: ['package'] });
  expect(whole).toMatchObject({
    package: null,
    attachments: [{ attachment: 1, name: 'attachment-1', contentType: 'image/png', digest: digestOf(PNG) }],
  });
  const got = await contents(bob, handoffId, 1);
  expect(got).toMatchObject({ mimeType: 'image/png', blob: PNG.toString('base64') });
  expect(got).not.toHaveProperty('text');
  expect(await read(bob, `handoff://handoffs/${handoffId}/package`)).toMatchObject({ package: null });
});

it('bytes that are not text are a blob, whatever their type says', async () => {
  const { handoffId } = await offeredOverGrpc([
    { type: 'text/plain', bytes: PNG },
    { type: 'no type at all', bytes: Buffer.from('x') },
  ]);
  expect(await contents(bob, handoffId, 1)).toMatchObject({
    mimeType: 'text/plain',
    blob: expect.any(String),
  });
  expect(await contents(bob, handoffId, 2)).toMatchObject({ mimeType: 'application/octet-stream' });
});

describe('assistants:M3 of an offer that failed', () => {
  it.each([
    ['declined', () => bob, 'declineHandoff'],
    ['cancelled', () => alice, 'cancelHandoff'],
  ] as const)(
    '%s: names, sizes and digests stay, the content is withheld with the reason',
    async (phase, who, tool) => {
      const handoffId = await offered();
      await sent(handoffId);
      await call(who(), tool, { handoffId });
      expect(await listed(bob, handoffId)).toMatchObject([
        { digest: digestOf(DIFF), withheld: expect.stringContaining(`the handoff is ${phase}`) },
      ]);
      await expect(contents(bob, handoffId, 1)).rejects.toMatchObject({
        data: { errorCode: 'CONFLICT', details: { phase }, error: expect.stringContaining(phase) },
      });
      expect(await contents(alice, handoffId, 1)).toMatchObject({ text: DIFF });
      expect((await listed(alice, handoffId))[0]).not.toHaveProperty('withheld');
    },
  );
});

it('assistants:M4 text/html comes as text/plain', async () => {
  const handoffId = await offered();
  await sent(handoffId, { contentType: 'Text/HTML; charset=utf-8', content: '<script>1</script>' });
  expect(await contents(bob, handoffId, 1)).toMatchObject({
    mimeType: 'text/plain',
    text: '<script>1</script>',
  });
});

it('assistants:M5 names with quotes and other scripts; a name that cannot be one is refused', async () => {
  const handoffId = await offered();
  const names = ['a "b" \\c.txt', 'Übersicht – 日本.md'];
  for (const name of names) await sent(handoffId, { name });
  expect((await listed(bob, handoffId)).map(({ name }) => name)).toEqual(names);
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(201)])
    expect(await sent(handoffId, { name })).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
      details: { field: 'name' },
    });
});

it('assistants:M6 a late one is flagged, and readable after the commitment', async () => {
  const handoffId = await offered({ autoCommit: false });
  await sent(handoffId);
  await call(bob, 'acceptHandoff', { handoffId });
  await sent(handoffId, { content: 'late' });
  expect(await listed(bob, handoffId)).toMatchObject([
    { attachment: 1, late: false },
    { attachment: 2, late: true, withheld: expect.stringContaining('after the commitment') },
  ]);
  await expect(contents(bob, handoffId, 2)).rejects.toMatchObject({ data: { errorCode: 'CONFLICT' } });
  await call(alice, 'commitHandoff', { handoffId });
  expect(await contents(bob, handoffId, 2)).toMatchObject({ text: 'late' });
  expect((await listed(bob, handoffId))[1]).not.toHaveProperty('withheld');
});

it('of many the first are listed, and each is read by its number', async () => {
  const handoffId = await offered();
  for (let n = 1; n <= 23; n++) await sent(handoffId, { content: `number ${n}`, contentType: 'text/plain' });
  const all = await call(bob, 'getHandoff', { handoffId, include: ['attachments'] });
  expect(all.attachments).toHaveLength(20);
  expect(all).toMatchObject({ attachmentsTotal: 23 });
  expect(all).not.toHaveProperty('package');
  expect(await contents(bob, handoffId, 23)).toMatchObject({ text: 'number 23' });
});

it('the brief of an offer over MACP is made of what was said with it', async () => {
  const { id, handoffId } = await offeredOverGrpc(
    [
      { type: 'text/plain', bytes: Buffer.from('ALL QUIET, disk 80%') },
      { type: 'image/png', bytes: PNG },
    ],
    'my shift ends\n# Not a heading',
  );
  const { brief } = await call(bob, 'getHandoff', { handoffId, include: ['package'] });
  expect(brief.text).toBe(
    [
      '# Handover of "night watch"',
      `From alice over MACP, session ${id}.`,
      '## Entries',
      '- [1] reason:',
      '  > my shift ends',
      '  > # Not a heading',
      '- [2] intent: watch the fleet',
      '- [3] attachment: ALL QUIET, disk 80%',
    ].join('\n'),
  );
  await call(bob, 'declineHandoff', { handoffId });
  const after = await call(bob, 'getHandoff', { handoffId, include: ['package'] });
  expect(after).not.toHaveProperty('brief');
  expect(JSON.stringify(after)).not.toContain('ALL QUIET');
});
