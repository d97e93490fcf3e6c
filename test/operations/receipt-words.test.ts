/** review:P2: a receipt says what was asked for and whose account did it, and `handover` puts it into words. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { handover } from '../kit/handover-command.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { until } from '../kit/until.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { secretIn, type Wire } from './support/world.js';

const FROM = hex(0x3333, 40);
const BOB = hex(0xb0b, 40);
const TOKEN = hex(0x70ce, 40);
const TRANSFER = `0xa9059cbb${BOB.slice(2).padStart(64, '0')}${hex(250).slice(2)}`;
const folder = mkdtempSync(join(tmpdir(), 'handover-receipt-words-'));
const data = join(folder, 'data');
const chain = new FakeChain(1879);
const server = await openServer({ flags: { dataDir: data }, chains: readerOf(chain) });
const client = await connectHttp(new URL('/mcp', server.httpUrl), 'alice');
afterAll(async () => {
  await client.close();
  await server.close(AbortSignal.timeout(1_000));
  rmSync(folder, { recursive: true, force: true });
});

async function tool(name: string, args: object): Promise<Wire> {
  const answer = (await client.callTool({ name, arguments: { ...args } })) as Wire;
  return answer.structuredContent.data;
}

/** Asked, signed and mined; its receipt, and what the command says of it. */
async function paid(tx: { to?: string; value?: bigint; data?: string }) {
  const value = tx.value ?? 0n;
  const txRequest = { ...tx, value: `0x${value.toString(16)}` };
  const made = await tool('create_operation_handoff', {
    type: 'payment',
    network: 'testnet',
    chainId: 1879,
    summary: { title: 'Send 1 XGR to Carol' },
    steps: [{ label: 'Send 1 XGR to Carol', txRequest }],
  });
  const post = (body: object) =>
    fetch(new URL(`/api/operations/${made.id}/status`, server.httpUrl), {
      method: 'POST',
      headers: {
        authorization: `Handoff ${secretIn(made.operationUrl)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ stepId: 'step_1', ...body }),
    });
  await post({ status: 'tx_requested', account: FROM });
  const hash = chain.send({ from: FROM, ...tx });
  await post({ status: 'tx_submitted', txHash: hash });
  chain.mine(hash);
  const block = await chain.blockNumber();
  chain.advance(10);
  await until(
    () => tool('get_operation_status', { operationId: made.id }),
    ({ effect }) => effect === 'done',
  );
  const { receipt } = await tool('get_operation_receipt', { id: made.id });
  const file = join(folder, `${made.id}.json`);
  const told = handover(['receipt', made.id, '--data-dir', data, '--out', file]);
  expect(await told.exited).toBe(0);
  const verified = handover(['verify', file, '--data-dir', data]);
  expect(await verified.exited).toBe(0);
  return { receipt, step: receipt.steps[0], hash, block, told: told.stdout, verified: verified.stdout };
}

it('review:P2 coins: how many, to whom, by whom, in which block; not what the agent called it', async () => {
  const { receipt, step, hash, block, told, verified } = await paid({ to: BOB, value: 10n ** 16n });
  expect(receipt.chain_id).toBe(1879);
  expect(step.call).toEqual({ kind: 'transfer', to: BOB, value: '10000000000000000' });
  expect(step.claims).toMatchObject([{ value: hash, account: FROM, block }]);
  for (const words of [told, verified]) {
    expect(words).toContain(`asked     send 0.01 XGR (10000000000000000 wei) to ${BOB} on chain 1879\n`);
    expect(words).toContain(`${hash} (settled as asked), by ${FROM}, in block ${block}\n`);
    expect(words).not.toContain('Carol');
  }
});

it('review:P2 a token: the call itself, with its recipient and amount', async () => {
  const { step, verified } = await paid({ to: TOKEN, data: TRANSFER });
  expect(step.call).toEqual({ kind: 'call', to: TOKEN, value: '0', data: TRANSFER });
  expect(verified).toContain(`asked     call transfer of ${TOKEN} on chain 1879: to ${BOB}, amount 250\n`);
});

it('review:P2 coins that go with an unknown call, and calldata that is too long, by its digest', async () => {
  const short = await paid({ to: TOKEN, value: 5n, data: '0x12345678' });
  expect(short.verified).toContain(
    `call function 0x12345678 of ${TOKEN} on chain 1879 with calldata 0x12345678, and send 0.000000000000000005 XGR (5 wei) with it`,
  );
  const edge = await paid({ to: TOKEN, data: `0x${'ab'.repeat(132)}` });
  expect(edge.step.call).toMatchObject({ data: `0x${'ab'.repeat(132)}` });
  const { step, verified } = await paid({ to: TOKEN, data: `0x${'ab'.repeat(133)}` });
  expect(step.call).toEqual({
    kind: 'call',
    to: TOKEN,
    value: '0',
    data_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  expect(verified).toContain(`with calldata of digest ${step.call.data_digest}`);
});

it('review:P4 the whole answer of the tool is called what it is, and its member receipt verifies as it stands', async () => {
  const { receipt } = await paid({ to: BOB, value: 3n });
  const file = join(folder, 'answer.json');
  const verify = async (document: object) => {
    writeFileSync(file, JSON.stringify(document, null, 2));
    const run = handover(['verify', file, '--data-dir', data]);
    return { code: await run.exited, words: run.stdout + run.stderr };
  };
  for (const answer of [{ receipt, newest: 1 }, { data: { receipt, newest: 1 } }]) {
    const { code, words } = await verify(answer);
    expect(code).toBe(2);
    expect(words).toMatch(/answer that holds a receipt[\s\S]*member "receipt"/);
    expect(words).not.toMatch(/FLAW/);
  }
  expect((await verify(receipt)).code).toBe(0);
});

it('review:P5 an id that only begins like that of an operation is not called a session', async () => {
  const run = handover(['receipt', 'op_nosuch', '--data-dir', data]);
  expect(await run.exited).toBe(3);
  expect(run.stderr).toMatch(/no operation op_nosuch: its id is op_ and 32 hex digits/);
  expect(run.stderr).not.toMatch(/session/);
});
