/** review:P3, review:P4: every receipt can be had again, by tool and by command, and `verify` says which hash counts. */
import { spawnSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '@handover/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handover } from '../kit/handover-command.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { valueIn } from '../kit/mcp-results.js';
import { openServer } from '../kit/server.js';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { secretIn, type Wire } from './support/world.js';

const FROM = '0x3333333333333333333333333333333333333333';
const TO = '0x1111111111111111111111111111111111111111';
const BINARY = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'handover-receipts-'));
const data = join(folder, 'data');
const chain = new FakeChain(1879);
const server = await openServer({ flags: { dataDir: data }, chains: readerOf(chain) });
const clients = await Promise.all(
  ['alice', 'mallory'].map((agent) => connectHttp(new URL('/mcp', server.httpUrl), agent)),
);
let id: string;
let old: string;
let own: string;

async function tool(name: string, args: object, agent = 0): Promise<Wire> {
  const answer = (await clients[agent]?.callTool({ name, arguments: { ...args } })) as Wire;
  return valueIn(answer);
}

async function command(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const run = handover(args);
  const code = await run.exited;
  return { code, out: run.stdout, err: run.stderr };
}

/** Refused and cancelled, with a receipt of nothing; then an old hash is told, then the one that was signed after all. */
beforeAll(async () => {
  old = chain.send({ from: FROM, to: TO, data: '0xa9059cbb' });
  chain.mine(old as `0x${string}`);
  chain.advance(10);
  const made = await tool('create_operation_handoff', { ...O1(), ttlSeconds: 600 });
  id = made.id;
  const secret = secretIn(made.operationUrl);
  const post = (body: object) =>
    fetch(new URL(`/api/operations/${id}/status`, server.httpUrl), {
      method: 'POST',
      headers: { authorization: `Handoff ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect(await tool('get_operation_receipt', { id })).toMatchObject({ errorCode: 'CONFLICT' });
  expect((await command('receipt', id, '--data-dir', data)).err).toContain('not over');
  await post({ status: 'tx_requested', stepId: 'step_1', account: FROM });
  await post({ status: 'failed', stepId: 'step_1', answer: 'refused' });
  await tool('cancel_operation_handoff', { operationId: id });
  await post({ status: 'tx_submitted', stepId: 'step_1', txHash: old });
  const look = () => tool('get_operation_status', { operationId: id });
  await until(look, ({ steps }) => steps[0].claims[0].reasonCode === 'TOO_OLD');
  own = chain.send({ from: FROM, to: TO, data: '0xa9059cbb' });
  await post({ status: 'tx_submitted', stepId: 'step_1', txHash: own });
  chain.mine(own as `0x${string}`);
  chain.advance(10);
  await until(look, ({ effect }) => effect === 'done');
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.close(AbortSignal.timeout(1_000));
  rmSync(folder, { recursive: true, force: true });
});

it('review:P3 the tool gives the newest receipt, and each older one by its number', async () => {
  const newest = await tool('get_operation_receipt', { id });
  expect(newest.receipt).toMatchObject({ no: newest.newest, effect: 'done' });
  expect(newest.newest).toBeGreaterThan(1);
  const first = await tool('get_operation_receipt', { id, no: 1 });
  expect(first.receipt).toMatchObject({ no: 1, effect: 'none', outcome: 'cancelled' });
  const beyond = await tool('get_operation_receipt', { id, no: newest.newest + 1 });
  expect(beyond).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
  expect(beyond.error).toContain(`the newest is ${newest.newest}`);
});

it('review:P3 not to another agent, and of nothing that is not there', async () => {
  expect(await tool('get_operation_receipt', { id }, 1)).toMatchObject({ errorCode: 'OPERATION_NOT_FOUND' });
  for (const unknown of [`op_${'0'.repeat(32)}`, 'nothing'])
    expect(await tool('get_operation_receipt', { id: unknown })).toMatchObject({
      errorCode: 'OPERATION_NOT_FOUND',
    });
});

it.each(['--data-dir', '--data'])('review:P3 the command gives the same bytes, with %s', async (flag) => {
  const { newest } = await tool('get_operation_receipt', { id });
  for (const no of [1, newest]) {
    const { receipt } = await tool('get_operation_receipt', { id, no });
    const told = await command('receipt', id, String(no), flag, data);
    expect(told.code).toBe(0);
    expect(JSON.parse(told.out)).toEqual(receipt);
  }
  const latest = await command('receipt', id, flag, data);
  expect(JSON.parse(latest.out).no).toBe(newest);
});

it.each([
  ['0', 2, 'numbered 1, 2'],
  ['x', 2, 'numbered 1, 2'],
  ['999', 3, 'the newest is'],
])('review:P3 the command refuses number %s with exit code %i', async (no, exit, words) => {
  const { code, out, err } = await command('receipt', id, no, '--data-dir', data);
  expect([code, out]).toEqual([exit, '']);
  expect(err).toContain(words);
});

it('review:P4 verify says of each hash whether it settled, was set aside, and why', async () => {
  const { newest } = await tool('get_operation_receipt', { id });
  const files = [];
  for (let no = 1; no <= newest; no++) {
    const file = join(folder, `${no}.json`);
    writeFileSync(file, (await command('receipt', id, String(no), '--data-dir', data)).out);
    files.push(file);
  }
  const { code, out } = await command('verify', ...files, '--data-dir', data);
  expect(code).toBe(0);
  expect(out).toContain(`${old} (set aside, TOO_OLD)`);
  expect(out).toContain(`${own} (settled as asked`);
  expect(out).toContain(`receipts 1 to ${newest} of ${id}`);
});

/** Writes a receipt to a file of its own. */
async function written(no: number): Promise<string> {
  const file = join(folder, `given-${no}.json`);
  const { code } = await command('receipt', id, String(no), '--data-dir', data, '--out', file, '--force');
  expect(code).toBe(0);
  return file;
}

it('review:P4 verify --against says that the log has a later receipt, and which', async () => {
  const { newest } = await tool('get_operation_receipt', { id });
  const first = await written(1);
  expect((await command('verify', first, '--data-dir', data)).code).toBe(0);
  const { code, out } = await command('verify', first, '--against', data);
  expect(code).toBe(2);
  expect(out).toContain('the log gives the same receipt');
  expect(out).toMatch(
    new RegExp(`\nSUPERSEDED: receipt ${newest} of the log counts in its place: effect done`),
  );
  expect(out).not.toContain('OK');
  const json = await command('verify', first, '--against', data, '--json');
  expect(json.code).toBe(2);
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    signer: 'known',
    compared: true,
    superseded_by: { no: newest, effect: 'done', outcome: 'completed' },
    flaws: [],
  });
});

it('review:P4 of the newest, and of all together, it says that all is well', async () => {
  const { newest } = await tool('get_operation_receipt', { id });
  const last = await written(newest);
  const { code, out } = await command('verify', last, '--against', data);
  expect([code, out]).toEqual([0, expect.stringMatching(/\nOK: signature valid, signer known\n$/)]);
  const { superseded_by } = JSON.parse((await command('verify', last, '--against', data, '--json')).out);
  expect(superseded_by).toBeUndefined();
  const all = await Promise.all(Array.from({ length: newest }, (_, i) => written(i + 1)));
  expect((await command('verify', ...all, '--against', data)).code).toBe(0);
  expect((await command('verify', ...all.slice(0, -1), '--against', data)).code).toBe(2);
});

it('review:P4 a receipt that the log does not give is a flaw', async () => {
  const { receipt } = await tool('get_operation_receipt', { id });
  const other = await openServer({ flags: { dataDir: join(folder, 'other') } });
  try {
    const elsewhere = await command('verify', await written(1), '--against', join(folder, 'other'));
    expect([elsewhere.code, elsewhere.out]).toEqual([1, expect.stringContaining('FLAW')]);
  } finally {
    await other.close(AbortSignal.timeout(1_000));
  }
  // Signed by the same server, and not what its log says.
  const { signature: _signature, ...said } = receipt;
  const forged = { ...said, effect: 'none' };
  const bytes = Buffer.from(`handover-operation-receipt/2:${canonicalJson(forged)}`);
  const { privateKey } = JSON.parse(readFileSync(join(data, 'receipt-keys.json'), 'utf8')).keys[0];
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const signature = sign(null, bytes, key).toString('base64');
  const file = join(folder, 'forged.json');
  writeFileSync(file, `${canonicalJson({ ...forged, signature })}\n`);
  expect((await command('verify', file, '--data-dir', data)).code).toBe(0);
  const { code, out } = await command('verify', file, '--against', data);
  expect([code, out]).toEqual([1, expect.stringContaining('effect: is "none"; the log says "done"')]);
});

it('review:P4 the documented way to the key of the server, and to check a receipt with it, works as written', async () => {
  const { newest } = await tool('get_operation_receipt', { id });
  const page = readFileSync(new URL('../../docs/running/audit.md', import.meta.url), 'utf8');
  const [section = ''] = page.split('## Checking a receipt of somebody else')[1]?.split('\n## ') ?? [];
  const blocks = [...section.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
  expect(blocks).toHaveLength(3);
  const place = mkdtempSync(join(folder, 'docs-'));
  copyFileSync(await written(newest), join(place, 'receipt.json'));
  const script = `handover() { "${process.execPath}" "${BINARY}" "$@"; }\n${blocks.join('\n')}`;
  const env = { ...process.env, HOME: place, DATA: data };
  const { stdout, status } = spawnSync('bash', ['-e', '-c', script], { cwd: place, env, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout.match(/^OK: signature valid, signer known$/gm)).toHaveLength(2);
  const stranger = spawnSync(process.execPath, [BINARY, 'verify', 'receipt.json'], { cwd: place, env });
  expect(stranger.status).toBe(2);
});

it('review:P4 a folder without a key says so', async () => {
  const { code, out, err } = await command('keys', '--data-dir', join(folder, 'nothing'));
  expect([code, out]).toEqual([3, '']);
  expect(err).toContain('no signing key yet');
});
