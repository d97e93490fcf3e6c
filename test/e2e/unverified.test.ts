/** A server that cannot look at the chain says so, and never more. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { button, connect, stepIs } from './support/drive.js';
import { openWorld, type World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await openWorld({ XGR_RPC_URL: '', HANDOVER_RPC_URL_31337: '' });
}, 120_000);
afterAll(() => world?.close());

it('two steps are sent in order, and stay unverified', { timeout: 60_000 }, async () => {
  const to = world.anvil.account(6).address;
  const created = await world.call('create_operation_handoff', {
    type: 'payments',
    network: 'local',
    chainId: world.anvil.chainId,
    steps: [{ txRequest: { to, value: '1' } }, { txRequest: { to, value: '2' } }],
  });
  const { page, context, problems } = await world.person(1);
  await page.goto(String(created.operationUrl));
  await connect(page);
  await button(page, 'Sign in the wallet').click();
  await stepIs(page, 1, 'submitted');
  await page.locator('#step-2').getByRole('button', { name: 'Sign in the wallet' }).click();
  await page.getByRole('heading', { name: 'Told, not verified', exact: true }).waitFor();
  const { status, verification } = await world.call('get_operation_status', { operationId: created.id });
  expect([status, verification]).toEqual(['tx_submitted', 'unverified']);
  expect(problems).toEqual([]);
  await context.close();
});
