/** What agents see of their requests without the secret, and how a wrong name of the id is answered. */
import { describe, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { secretIn, useWorld, type Wire } from './support/world.js';

const FROM = '0x3333333333333333333333333333333333333333';
const TO = '0x1111111111111111111111111111111111111111';
const chain = new FakeChain(1879);
const world = await useWorld({ chains: readerOf(chain) });

const create = async (over: object = {}): Promise<Wire> =>
  (await world.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 900, ...over })).data;
const status = async (operationId: string): Promise<Wire> =>
  (await world.tool('alice', 'get_operation_status', { operationId })).data;
const listed = async (id: string): Promise<Wire> =>
  (await world.tool('alice', 'list_recent_operations')).data.find((row: Wire) => row.id === id);

describe('review:H2 lists and status', () => {
  it('review:H2 say what each step asks for, in short and without its bytes', async () => {
    const steps = [
      { id: 'coins', txRequest: { to: TO.toUpperCase().replace('0X', '0x'), value: '0xff', from: FROM } },
      { id: 'call', txRequest: { to: TO, data: '0xa9059cbb' } },
      { id: 'make', txRequest: { data: '0x6001' } },
    ];
    const { id } = await create({ steps });
    for (const view of [await listed(id), await status(id)]) {
      expect(view.steps.map(({ call }: Wire) => call)).toEqual([
        { kind: 'transfer', to: TO, value: '255', chainId: 1879, account: FROM },
        { kind: 'call', to: TO, value: '0', chainId: 1879 },
        { kind: 'creation', to: null, value: '0', chainId: 1879 },
      ]);
      expect(JSON.stringify(view)).not.toContain('6001');
    }
  });

  it('review:H2 a list names the newest receipt, and status holds it', async () => {
    const { id, operationUrl } = await create();
    const secret = secretIn(operationUrl);
    const post = (body: object) => world.api(`/api/operations/${id}/status`, { secret, body });
    await post({ status: 'opened' });
    await post({ status: 'tx_requested', stepId: 'step_1', account: FROM });
    const txHash = chain.send({ from: FROM, to: TO, data: '0xa9059cbb' });
    chain.mine(txHash);
    chain.advance(10);
    await post({ status: 'tx_submitted', stepId: 'step_1', txHash });
    const done = await until(
      () => status(id),
      ({ over }) => over === true,
    );
    const row = await listed(id);
    expect(row.receipt).toEqual({ no: 1, digest: done.receipts[0].digest });
    expect(row).not.toHaveProperty('receipts');
    expect(row.steps[0].call).toMatchObject({ account: FROM });
    expect(done.receipt.signature).toBeDefined();
  });
});

describe('assistants:E4 the name of the id', () => {
  it.each([
    ['get_operation_status', 'id', 'operationId'],
    ['cancel_operation_handoff', 'handle', 'operationId'],
    ['get_xdala_bundle_deploy_result', 'operationId', 'handle'],
    ['get_operation_receipt', 'operationId', 'id'],
    ['wait_for_operation', 'operationId', 'id'],
  ])('of %s: %s is answered with the name %s', async (tool, wrong, right) => {
    const { data } = await world.tool('alice', tool, { [wrong]: `op_${'0'.repeat(32)}` });
    expect(data.errorCode).toBe('VALIDATION_ERROR');
    expect(JSON.stringify(data)).toContain(`is not a known argument: this tool calls it ${right}`);
  });

  it('an argument that has nothing to do with ids gets no such hint', async () => {
    const { data } = await world.tool('alice', 'get_operation_status', { colour: 'red' });
    expect(JSON.stringify(data)).not.toContain('calls it');
  });
});
