/** On disk: `handover verify` understands operations, a restart forgets nothing, receipts hold without the server. */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamKind, verifyOperationReceipt, verifyStream } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { expect, it } from 'vitest';
import { verifyDocument } from '../../packages/server/src/cli/verify-document.js';
import { verifySignature } from '../../packages/server/src/keys/ed25519.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { verifyData } from '../../packages/server/src/proof/verify-data.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { valueIn } from '../kit/mcp-results.js';
import { openServer } from '../kit/server.js';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn } from './support/world.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
type Loose = any;
const FROM = '0x3333333333333333333333333333333333333333';
const TO = '0x1111111111111111111111111111111111111111';

async function open(folder: string, chain: FakeChain) {
  const server = await openServer({ flags: { dataDir: folder }, chains: readerOf(chain) });
  const client = await connectHttp(new URL('/mcp', server.httpUrl), 'alice');
  const tool = async (name: string, args: Loose) =>
    valueIn(await client.callTool({ name, arguments: args })) as Loose;
  const post = async (path: string, secret: string, body: object) => {
    const headers = { authorization: `Handoff ${secret}`, 'content-type': 'application/json' };
    return (
      await fetch(new URL(path, server.httpUrl), { method: 'POST', headers, body: JSON.stringify(body) })
    ).status;
  };
  const close = async () => {
    await client.close();
    await server.close(AbortSignal.timeout(1_000));
  };
  return { tool, post, close };
}

it('a restart forgets neither secret nor claim, and the folder verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handover-operations-'));
  const chain = new FakeChain(1879);
  const first = await open(folder, chain);
  const made = await first.tool('create_operation_handoff', { ...O1(), ttlSeconds: 600 });
  const secret = secretIn(made.operationUrl);
  const path = `/api/operations/${made.id}/status`;
  const txHash = chain.send({ from: FROM, to: TO, data: '0xa9059cbb' });
  for (const body of [
    { status: 'opened' },
    { status: 'tx_requested', stepId: 'step_1', account: FROM },
    { status: 'tx_submitted', stepId: 'step_1', txHash },
  ])
    expect(await first.post(path, secret, body)).toBe(200);
  await first.close();
  chain.mine(txHash);
  chain.advance(5);
  const second = await open(folder, chain);
  expect(await second.post(path, secret, { status: 'opened' })).toBe(200);
  const done = await until(
    () => second.tool('get_operation_status', { operationId: made.id }),
    (data) => data.status === 'completed',
  );
  expect(verifyOperationReceipt(done.receipt, nodeCodec, verifySignature)).toHaveProperty('receipt');
  expect(
    verifyOperationReceipt({ ...done.receipt, outcome: 'cancelled' }, nodeCodec, verifySignature),
  ).toMatchObject({ flaw: { path: 'signature' } });
  await second.close();
  const file = join(mkdtempSync(join(tmpdir(), 'handover-receipt-')), 'receipt.json');
  writeFileSync(file, JSON.stringify(done.receipt));
  const said: string[] = [];
  const output = {
    out: (text: string) => void said.push(text),
    note: (text: string) => void said.push(text),
  };
  expect(await verifyDocument(file, readFileSync(file, 'utf8'), { data: folder }, output)).toBe(0);
  expect(said.join('')).toContain('OK: signature valid, signer known');
  expect(
    await verifyDocument(
      file,
      readFileSync(file, 'utf8').replace('completed', 'cancelled'),
      { data: folder },
      output,
    ),
  ).toBe(1);
  const report = await verifyData(folder, { codec: nodeCodec });
  expect(report.flaws).toEqual([]);
  expect(report.kinds.operation).toBe(1);
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    expect(readFileSync(join(folder, name)).includes(secret), name).toBe(false);
  }
});

it('an entry that says what the rules would not is found', async () => {
  const store = createMemoryStore();
  const world = await openWorld({ store, chains: readerOf(new FakeChain(1879)) });
  const { data } = await world.tool('alice', 'create_operation_handoff', O1());
  await world.api(`/api/operations/${data.id}/status`, {
    secret: secretIn(data.operationUrl),
    body: { status: 'opened' },
  });
  await world.close();
  const ref = { tenant: 'default', kind: StreamKind.Operation, id: data.id as string };
  const entries = await store.read(ref, 0, { entries: 100, bytes: 1e9 });
  expect(verifyStream(ref, entries, nodeCodec).ok).toBe(true);
  const [first, second] = entries;
  if (!first || !second) throw new Error('two entries were expected');
  const facts = { status: 'completed' };
  const { entryHash } = await import('@handover/core');
  const forged = { ...second, facts, factsText: JSON.stringify(facts) };
  const verdict = verifyStream(
    ref,
    [first, { ...forged, hash: entryHash(nodeCodec, forged, forged.factsText) }],
    nodeCodec,
  );
  expect(verdict.ok).toBe(false);
});

it('nothing is asked of the chain while nothing is claimed', async () => {
  const chain = new FakeChain(1879);
  const world = await openWorld({ chains: readerOf(chain) });
  const { data } = await world.tool('alice', 'create_operation_handoff', O1());
  await world.api(`/api/operations/${data.id}/status`, {
    secret: secretIn(data.operationUrl),
    body: { status: 'opened' },
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  // When it was made: what is older than it cannot be it.
  expect(chain.asked).toEqual(['blockNumber']);
  await world.close();
});

it('a bundle of megabytes can be handed over', async () => {
  const world = await openWorld();
  const payload = { text: 'x'.repeat(1.9 * 1024 * 1024) };
  const { data, isError } = await world.tool('alice', 'create_operation_handoff', { ...O1(), payload });
  expect(isError).toBeUndefined();
  const page = await world.api(`/api/operations/${data.id}`, { secret: secretIn(data.operationUrl) });
  expect(page.json.payload.text.length).toBe(payload.text.length);
  await world.close();
});
