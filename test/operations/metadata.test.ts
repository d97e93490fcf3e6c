/** What every view says of a record, whichever tool shows it (review:H2), and what a cancel says (review:H3). */
import { describe, expect, it } from 'vitest';
import { B1, O1, S1 } from './support/examples.js';
import { secretIn, useWorld, type Wire } from './support/world.js';

const world = await useWorld();
const { handle: _handle, ...request } = S1();
const CASES = [
  {
    family: 'operation',
    create: ['create_operation_handoff', { ...O1(), ttlSeconds: 900 }],
    id: 'operationId',
    looks: ['get_operation_status'],
    cancel: 'cancel_operation_handoff',
    ask: (base: string) => [`${base}/status`, { status: 'tx_requested', stepId: 'step_1' }] as const,
    refuse: (base: string) =>
      [
        `${base}/status`,
        { status: 'failed', stepId: 'step_1', answer: 'refused', walletCode: 4001 },
      ] as const,
    place: 'operations',
  },
  {
    family: 'bundle_deploy',
    create: ['create_xdala_bundle_deploy_handoff', { network: 'n', chainId: 1879, bundle: B1() }],
    id: 'handle',
    looks: ['get_xdala_bundle_deploy_handoff', 'get_xdala_bundle_deploy_result'],
    cancel: 'cancel_xdala_bundle_deploy_handoff',
    ask: (base: string, step: string) =>
      [`${base}/status`, { stepStatus: 'requested', stepId: step }] as const,
    refuse: (base: string, step: string) =>
      [
        `${base}/status`,
        { stepStatus: 'failed', stepId: step, answer: 'refused', walletCode: 4001 },
      ] as const,
    place: 'bundle-deploy',
  },
  {
    family: 'session_start',
    create: [
      'create_xdala_session_start_handoff',
      { source: 'direct', network: 'n', chainId: 1879, request },
    ],
    id: 'handle',
    looks: ['get_xdala_session_start_handoff', 'get_xdala_session_start_result'],
    cancel: 'cancel_xdala_session_start_handoff',
    ask: (base: string) => [`${base}/progress`, { index: 0, stepStatus: 'requested' }] as const,
    refuse: (base: string) =>
      [`${base}/progress`, { index: 0, stepStatus: 'failed', answer: 'refused', walletCode: 4001 }] as const,
    place: 'session-start',
  },
] as const;

describe.each(CASES)('$family', ({ create, id: idName, looks, cancel, ask, refuse, place }) => {
  async function asked() {
    const { data } = await world.tool('alice', create[0], create[1]);
    const id = data.id ?? data.handle;
    const secret = secretIn(data.operationUrl ?? data.xdalaUrl);
    const base = `/api/${place}/${id}`;
    const step = (await world.api(base, { secret })).json.steps[0].id;
    const [path, body] = ask(base, step);
    const answer = await world.api(path, { secret, body });
    expect(answer.status, answer.text).toBe(200);
    const end = async () => {
      const [at, posted] = refuse(base, step);
      return world.api(at, { secret, body: posted });
    };
    return { id, named: { [idName]: id }, end };
  }

  it('review:H3 a cancel while the prompt is open succeeds, closes, and says that it is not over', async () => {
    const { named, end } = await asked();
    const { data, isError } = await world.tool('alice', cancel, named);
    expect(isError).toBeFalsy();
    expect(data).toMatchObject({
      effect: 'unknown',
      closing: { by: 'creator' },
      message: 'A wallet prompt is open. Not cancelled yet; wait_for_operation tells how it ends.',
    });
    expect(data.status).not.toBe('cancelled');
    await end();
    const after = await world.tool('alice', cancel, named);
    expect(after.data).toMatchObject({ status: 'cancelled', effect: 'none' });
    expect(after.data.message).toBeUndefined();
  });

  it('review:H2 every view, every list and every wait says the same', async () => {
    const { id, named, end } = await asked();
    await world.tool('alice', cancel, named);
    const waited = async () => {
      const { data } = await world.tool('alice', 'wait_for_operation', { id, timeoutMs: 0 });
      return data.operations[0];
    };
    const views = async (): Promise<Wire[]> => {
      const seen = await Promise.all(
        looks.map(async (tool) => (await world.tool('alice', tool, named)).data),
      );
      const list =
        place === 'operations' ? (await world.tool('alice', 'list_recent_operations', {})).data : [];
      return [...seen, ...list.filter((row: Wire) => row.id === id), await waited()];
    };
    for (const view of await views())
      expect(view).toMatchObject({
        effect: 'unknown',
        basis: ['page'],
        createdBy: 'alice',
        closing: { by: 'creator' },
      });
    await end();
    for (const view of await views())
      expect(view).toMatchObject({
        effect: 'none',
        basis: ['wallet'],
        reasonCode: 'CANCELLED',
        createdBy: 'alice',
        over: true,
        receipt: { no: 1 },
      });
  });
});

it('review:H2 late is shown', async () => {
  const { data } = await world.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 60 });
  const secret = secretIn(data.operationUrl);
  const body = { status: 'tx_submitted', stepId: 'step_1', txHash: `0x${'1'.repeat(64)}` };
  await world.api(`/api/operations/${data.id}/status`, { secret, body });
  world.clock.now += 61_000;
  const named = { operationId: data.id };
  expect((await world.tool('alice', 'get_operation_status', named)).data).toMatchObject({ late: true });
});
