/** The operator's receivers hear of operations: ids and words, never a URL, a secret or what is to be signed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn } from './support/world.js';

const FROM = '0x3333333333333333333333333333333333333333';
const bodies: string[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    bodies.push(body);
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => receiver.close());

it('created, updated, completed', async () => {
  const chain = new FakeChain(1879);
  const { port } = receiver.address() as AddressInfo;
  const secretOfHook = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`;
  const env = {
    HANDOVER_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
    HANDOVER_WEBHOOK_SECRET: secretOfHook,
  };
  const world = await openWorld({ env, chains: readerOf(chain) });
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
  await until(
    () => bodies.join('\n'),
    (text) => text.includes('operation.settled'),
  );
  const events = bodies.map((body) => JSON.parse(body)).filter(({ data: of }) => of.operationId === data.id);
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([
      'operation.created',
      'operation.updated',
      'operation.completed',
      'operation.changed',
      'operation.settled',
    ]),
  );
  const completed = events.find(({ type }) => type === 'operation.completed');
  expect(completed.data).toEqual({
    operationId: data.id,
    family: 'operation',
    createdBy: 'alice',
    status: 'completed',
    effect: 'done',
    verification: 'matched',
    receipt: 1,
  });
  expect(bodies.join('\n')).not.toContain(secret);
  expect(bodies.join('\n')).not.toContain('a9059cbb');
  await world.close();
});
