import { expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { secretIn, useWorld } from './support/world.js';

const FROM = '0x3333333333333333333333333333333333333333';

it('an operation goes from the agent to the person to the chain and back', async () => {
  const chain = new FakeChain(1879);
  const world = await useWorld({ chains: readerOf(chain) });
  const { data } = await world.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 600 });
  const secret = secretIn(data.operationUrl);
  const path = `/api/operations/${data.id}`;
  const post = (body: object) => world.api(`${path}/status`, { secret, body });
  expect((await world.api(path, { secret })).json.steps[0].txRequest.data).toBe('0xa9059cbb');
  expect((await post({ status: 'opened' })).json.status).toBe('opened');
  expect((await post({ status: 'wallet_connected', account: FROM })).status).toBe(200);
  expect((await post({ status: 'tx_requested', stepId: 'step_1', account: FROM })).status).toBe(200);
  const txHash = chain.send({
    from: FROM,
    to: '0x1111111111111111111111111111111111111111',
    data: '0xa9059cbb',
  });
  expect((await post({ status: 'tx_submitted', stepId: 'step_1', txHash })).json.status).toBe('tx_submitted');
  chain.mine(txHash);
  chain.advance(5);
  const done = await until(
    () => world.tool('alice', 'get_operation_status', { operationId: data.id }),
    (result) => result.data.status === 'completed',
  );
  expect(done.data).toMatchObject({ verification: 'matched', receipt: { outcome: 'completed' } });
});
