/** The operator's receivers hear of operations: ids and words, never a URL, a secret or what is to be signed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, type Wire } from './support/world.js';

const FROM = '0x3333333333333333333333333333333333333333';
const deliveries: { readonly path: string; readonly id: string; readonly body: Wire }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const id = String(request.headers['webhook-id']);
    deliveries.push({ path: request.url ?? '', id, body: JSON.parse(body) });
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const folder = mkdtempSync(join(tmpdir(), 'handover-webhooks-'));
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Two receivers: one that names no events, and one that names those which repeat the others. */
function settings(): Record<string, string> {
  const { port } = receiver.address() as AddressInfo;
  const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`;
  const events = ['operation.changed', 'operation.settled', 'operation.superseded'];
  const webhooks = [
    { url: `http://127.0.0.1:${port}/all`, secret },
    { url: `http://127.0.0.1:${port}/some`, secret, events },
  ];
  const file = join(folder, 'webhooks.json');
  writeFileSync(file, JSON.stringify({ webhooks }), { mode: 0o600 });
  return { HANDOVER_WEBHOOKS_FILE: file };
}

const page = readFileSync(new URL('../../docs/running/webhooks.md', import.meta.url), 'utf8');
const example = JSON.parse(
  /example: operation webhook -->\n\n```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '{}',
);

it('review:H1 a delivery says the reason, in a code and nothing else', async () => {
  const chain = new FakeChain(1879);
  const world = await openWorld({ env: settings(), chains: readerOf(chain) });
  const { data } = await world.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 600 });
  const secret = secretIn(data.operationUrl);
  const post = (body: object) => world.api(`/api/operations/${data.id}/status`, { secret, body });
  const told = () =>
    deliveries
      .filter(({ path, body }) => path === '/all' && body.data.operationId === data.id)
      .map(({ body }) => body);
  await post({ status: 'opened' });
  await post({ status: 'tx_requested', stepId: 'step_1', account: FROM });
  await post({
    status: 'failed',
    stepId: 'step_1',
    answer: 'refused',
    walletCode: 4001,
    error: 'no, thanks',
  });
  for (let paid = 0; paid < 2; paid++) {
    const to = '0x1111111111111111111111111111111111111111';
    const txHash = chain.send({ from: FROM, to, data: '0xa9059cbb' });
    chain.mine(txHash);
    chain.advance(5);
    if (paid === 0) await post({ status: 'tx_requested', stepId: 'step_1', account: FROM });
    await post({ status: 'tx_submitted', stepId: 'step_1', txHash });
  }
  const twice = async () => told().filter((body) => body.data.reasonCode === 'PAID_TWICE');
  await until(twice, ({ length }) => length > 0);
  expect((await twice())[0]).toMatchObject({ type: 'operation.updated', data: { effect: 'exceeded' } });
  const refused = told().filter((body) => body.data.reasonCode === 'REJECTED');
  expect(refused).toMatchObject([{ type: 'operation.failed', data: { effect: 'none', status: 'failed' } }]);
  expect(JSON.stringify(told())).not.toContain('thanks');
  await world.close();
  deliveries.length = 0;
});

it('review:H1 one change is one delivery, as the page shows it; what repeats it comes only to who names it', async () => {
  const chain = new FakeChain(1879);
  const world = await openWorld({ env: settings(), chains: readerOf(chain) });
  const { data } = await world.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 600 });
  const secret = secretIn(data.operationUrl);
  const post = (body: object) => world.api(`/api/operations/${data.id}/status`, { secret, body });
  await post({ status: 'opened' });
  await post({ status: 'tx_requested', stepId: 'step_1', account: FROM });
  const txHash = chain.send({
    from: FROM,
    to: '0x1111111111111111111111111111111111111111',
    data: '0xa9059cbb',
  });
  chain.mine(txHash);
  chain.advance(5);
  await post({ status: 'tx_submitted', stepId: 'step_1', txHash });
  const entries = async () =>
    (await world.store.load({ tenant: 'default', kind: 'operation', id: data.id }, 0, 100)).length;
  await until(
    async () => deliveries.filter(({ path }) => path === '/all').length,
    (count) => deliveries.some(({ body }) => body.type === 'operation.settled') && count >= 5,
  );
  const at = (path: string) => deliveries.filter((one) => one.path === path);
  await until(entries, (count) => at('/all').length === count && at('/some').length === count + 1);
  const types = at('/all').map(({ body }) => body.type);
  expect(new Set(types)).toEqual(new Set(['operation.created', 'operation.updated', 'operation.completed']));
  expect(new Set(at('/some').map(({ body }) => body.type))).toEqual(
    new Set(['operation.changed', 'operation.settled']),
  );
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(deliveries.length);
  const completed = at('/all').find(({ body }) => body.type === 'operation.completed')?.body;
  expect(completed.data).toEqual({ ...example.data, operationId: data.id });
  expect(Object.keys(completed)).toEqual(Object.keys(example));
  const all = JSON.stringify(deliveries);
  expect(all).not.toContain(secret);
  expect(all).not.toContain('a9059cbb');
  await world.close();
});
