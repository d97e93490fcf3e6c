/** From an agent's call to what the server itself finds on the chain, through a real browser and a real wallet signature. */
import { getAddress, recoverTypedDataAddress, type TypedDataDefinition } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { artifact, testToken, tokenCreation, xrc137, xrc729, xrc729Creation } from '../kit/contracts.js';
import { button, connect, stepIs } from './support/drive.js';
import { bundle as bundleRecord, transferData } from './support/records.js';
import { openWorld, type World } from './support/world.js';

const PERSON = 1;
const SUPPLIER = 5;

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 120_000);
afterAll(() => world?.close());

const url = (data: Readonly<Record<string, unknown>>): string => String(data.operationUrl ?? data.xdalaUrl);
const addressOf = (n: number) => world.anvil.account(n).address;

async function newToken(): Promise<`0x${string}`> {
  const { anvil } = world;
  const hash = await anvil.client.sendTransaction({
    account: anvil.account(PERSON),
    data: tokenCreation(10_000_000_000n),
  });
  const { contractAddress } = await anvil.client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('no token');
  return contractAddress;
}

it('an ERC-20 transfer: reviewed, signed, found on the chain by the server', {
  timeout: 120_000,
}, async () => {
  const token = await newToken();
  const created = await world.call('create_operation_handoff', {
    type: 'erc20_transfer',
    network: 'local',
    chainId: world.anvil.chainId,
    summary: { title: 'Pay invoice INV-7' },
    steps: [
      {
        label: 'Transfer',
        txRequest: { to: token, value: '0', data: transferData(addressOf(SUPPLIER), 1_250_000_000n) },
      },
    ],
  });
  const { page, problems, requests, context } = await world.person(PERSON);
  await page.goto(url(created));
  await page.getByText('amount or item number 1,250,000,000').first().waitFor();
  expect(await page.locator('.hash').first().textContent()).toBe(created.digest);
  await page.getByText('it matches').waitFor();
  await connect(page);
  await page.getByText('1,250 TUSD').waitFor();
  await button(page, 'Sign in the wallet').click();
  await stepIs(page, 1, 'confirmed', 60_000);
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor();
  const done = await world.until(
    'get_operation_status',
    { operationId: created.id },
    ({ status }) => status === 'completed',
  );
  expect(done.verification).toBe('matched');
  const balance = await world.anvil.client.readContract({
    abi: testToken.abi,
    address: token,
    functionName: 'balanceOf',
    args: [addressOf(SUPPLIER)],
  });
  expect(balance).toBe(1_250_000_000n);
  expect(problems).toEqual([]);
  expect(requests.every((request) => request.url.startsWith(world.server.http))).toBe(true);
  await context.close();
});

it('two steps: the second waits, a rejected prompt is tried again, a reload loses nothing', {
  timeout: 120_000,
}, async () => {
  const before = await world.anvil.client.getBalance({ address: addressOf(6) });
  const created = await world.call('create_operation_handoff', {
    type: 'payments',
    network: 'local',
    chainId: world.anvil.chainId,
    steps: [
      { id: 'first', label: 'First payment', txRequest: { to: addressOf(6), value: '1000' } },
      { id: 'second', label: 'Second payment', txRequest: { to: addressOf(6), value: '2000' } },
    ],
  });
  // On another network at first, one that the wallet leaves only for a chain it was given.
  const { page, wallet, problems, context } = await world.person(PERSON, {
    chainId: 1,
    knows: (id) => id === 1,
  });
  await page.goto(url(created));
  await connect(page);
  await button(page, /^Switch to/).click();
  await page.getByText('On the right network').waitFor();
  expect(wallet.added).toMatchObject([{ chainId: '0x7a69', rpcUrls: [`${world.xgr.url}/`] }]);
  wallet.decide = () => 'reject';
  await button(page, 'Sign in the wallet').click();
  await stepIs(page, 1, 'failed');
  await page.getByText('Nothing was sent: your wallet reported that you refused.').waitFor();
  await page.reload();
  await connect(page);
  wallet.decide = () => 'approve';
  await button(page, /^Try again/).click();
  await stepIs(page, 1, 'submitted');
  await page.reload();
  await connect(page);
  await page
    .locator('#step-2')
    .getByRole('button', { name: 'Sign in the wallet' })
    .click({ timeout: 60_000 });
  await stepIs(page, 2, 'confirmed', 60_000);
  const done = await world.until(
    'get_operation_status',
    { operationId: created.id },
    ({ status }) => status === 'completed',
  );
  expect(done.verification).toBe('matched');
  expect(wallet.prompts.map(({ method }) => method)).toEqual(Array(3).fill('eth_sendTransaction'));
  expect((await world.anvil.client.getBalance({ address: addressOf(6) })) - before).toBe(3_000n);
  expect(problems).toEqual([]);
  await context.close();
});

it('a bundle: deployed in order, its contracts found on the chain with the right texts', {
  timeout: 180_000,
}, async () => {
  const { bundle } = bundleRecord();
  const created = await world.call('create_xdala_bundle_deploy_handoff', {
    network: 'local',
    chainId: world.anvil.chainId,
    bundle,
    summary: { title: 'Invoice approval' },
  });
  const { page, wallet, problems, context } = await world.person(PERSON);
  await page.goto(url(created));
  await page.getByRole('img', { name: 'Process with 5 steps' }).waitFor();
  await connect(page);
  await page.getByText('What it will cost').waitFor();
  expect(wallet.prompts).toEqual([]);
  await button(page, /^Deploy this and the next 5/).click();
  await page.getByRole('heading', { name: 'Deployed', exact: true }).waitFor({ timeout: 120_000 });
  const done = await world.until(
    'get_xdala_bundle_deploy_result',
    { handle: created.handle },
    ({ status }) => status === 'deployed',
  );
  const { bundles } = done.deployedArtifact as {
    bundles: { items: { address: `0x${string}`; meta: { type: string; alias: string } }[] }[];
  };
  const items = bundles[0]?.items ?? [];
  expect(items).toHaveLength(6);
  expect(wallet.prompts).toHaveLength(6);
  for (const { address, meta } of items) {
    const owner = await world.anvil.client.readContract({
      abi: artifact(meta.type === 'xrc729' ? 'Xrc729' : 'Xrc137').abi,
      address,
      functionName: 'owner',
    });
    expect(owner).toBe(addressOf(PERSON));
  }
  const process = items.find(({ meta }) => meta.type === 'xrc729');
  const text = await world.anvil.client.readContract({
    abi: xrc729.abi,
    address: process?.address ?? '0x',
    functionName: 'getOSTC',
    args: ['invoice_flow'],
  });
  expect(text).not.toContain('cm:xrc137');
  const intake = items.find(({ meta }) => meta.alias === 'IntakeRule');
  expect(text).toContain(intake?.address);
  const rule = await world.anvil.client.readContract({
    abi: xrc137.abi,
    address: intake?.address ?? '0x',
    functionName: 'getRule',
  });
  expect(JSON.parse(String(rule))).toHaveProperty('payload.InvoiceId');
  expect(problems).toEqual([]);
  await context.close();
});

it('sessions: signed as EIP-712, started once each, found on the network', { timeout: 120_000 }, async () => {
  const { anvil, xgr } = world;
  const data = xrc729Creation({
    invoice_flow:
      '{"id":"invoice_flow","structure":{"Intake":{"rule":"0x1111111111111111111111111111111111111111"}}}',
  });
  const hash = await anvil.client.sendTransaction({ account: anvil.account(PERSON), data });
  const { contractAddress } = await anvil.client.waitForTransactionReceipt({ hash });
  const session = (invoice: string) => ({
    orchestration: contractAddress,
    ostcId: 'invoice_flow',
    stepId: 'Intake',
    payload: { InvoiceId: invoice, __secret: 'caller-token' },
    maxTotalGas: 1_000_000,
  });
  const created = await world.call('create_xdala_session_start_handoff', {
    source: 'direct',
    network: 'local',
    chainId: anvil.chainId,
    expectedSigner: addressOf(PERSON),
    request: {
      type: 'xdala_session_start',
      version: 'xgr-session-start@1',
      mode: 'queue',
      sessions: [session('INV-7'), session('INV-8')],
    },
  });
  const { page, wallet, problems, context } = await world.person(PERSON);
  await page.goto(url(created));
  await connect(page);
  // The first is signed, the second not: a reload in between starts nothing twice.
  wallet.decide = () => (wallet.prompts.length === 1 ? 'approve' : 'reject');
  await button(page, /^Start this and the next 1/).click();
  await stepIs(page, 2, 'failed');
  expect(xgr.started).toHaveLength(1);
  await page.reload();
  await connect(page);
  wallet.decide = () => 'approve';
  await button(page, /^Try again/).click();
  await page.getByRole('heading', { name: 'Started', exact: true }).waitFor({ timeout: 60_000 });
  const done = await world.until(
    'get_xdala_session_start_result',
    { handle: created.handle },
    ({ status }) => status === 'completed',
  );
  expect(done.resultSummary).toMatchObject({ ok: 2, sessionIds: ['1', '2'] });
  expect(xgr.started.map(({ payload }) => payload)).toMatchObject([
    { InvoiceId: 'INV-7', __secret: 'caller-token' },
    { InvoiceId: 'INV-8' },
  ]);
  for (const { permit } of xgr.started) {
    const { Domain, Types, Message, Signature, Owner } = permit as Record<string, object> & {
      Signature: `0x${string}`;
      Owner: `0x${string}`;
    };
    const signed = {
      domain: Domain,
      types: Types,
      primaryType: 'SessionPermit',
      message: Message,
    } as unknown as TypedDataDefinition;
    expect(await recoverTypedDataAddress({ ...signed, signature: Signature })).toBe(addressOf(PERSON));
    expect(getAddress(Owner)).toBe(addressOf(PERSON));
  }
  expect(problems).toEqual([]);
  await context.close();
});

it('a session whose answer got lost is looked up, not started again', { timeout: 60_000 }, async () => {
  const { anvil, xgr } = world;
  const created = await world.call('create_xdala_session_start_handoff', {
    source: 'direct',
    network: 'local',
    chainId: anvil.chainId,
    request: sessionRequest([
      { orchestration: addressOf(9), ostcId: 'flow', stepId: 'S', payload: {}, maxTotalGas: 0 },
    ]),
  });
  const before = xgr.asked.filter(({ method }) => method === 'xgr_validateDataTransfer').length;
  xgr.setFault(({ method, params }, response) => {
    if (method !== 'xgr_validateDataTransfer') return false;
    const [{ permit }] = params as [{ permit: { Message: { from: string; sessionId: string } } }];
    xgr.setSession(permit.Message.from, permit.Message.sessionId, 'alive');
    response.destroy();
    return true;
  });
  const { page, wallet, context } = await world.person(PERSON);
  await page.goto(url(created));
  await connect(page);
  await button(page, 'Sign the permit and start').click();
  await page.getByRole('heading', { name: 'Started', exact: true }).waitFor({ timeout: 40_000 });
  xgr.setFault(undefined);
  // The browser may repeat a request whose connection broke; it is the same permit for the same session then.
  const sent = xgr.asked.filter(({ method }) => method === 'xgr_validateDataTransfer').slice(before);
  expect(new Set(sent.map(({ params }) => JSON.stringify(params))).size).toBe(1);
  expect(wallet.prompts).toHaveLength(1);
  await context.close();
});

const sessionRequest = (sessions: readonly object[]) => ({
  type: 'xdala_session_start',
  version: 'xgr-session-start@1',
  sessions,
});

it.each([
  ['operation', 'create_operation_handoff', 'get_operation_status', 'operationId'],
  ['bundle', 'create_xdala_bundle_deploy_handoff', 'get_xdala_bundle_deploy_handoff', 'handle'],
  ['sessions', 'create_xdala_session_start_handoff', 'get_xdala_session_start_handoff', 'handle'],
])(
  'a person declines (%s); the agent learns it, and the link is of no more use',
  {
    timeout: 60_000,
  },
  async (family, create, read, key) => {
    const common = { network: 'local', chainId: world.anvil.chainId };
    const asked: Record<string, object> = {
      operation: { type: 'payment', steps: [{ txRequest: { to: addressOf(6), value: '1' } }] },
      bundle: { bundle: bundleRecord().bundle },
      sessions: {
        source: 'direct',
        request: sessionRequest([
          {
            orchestration: addressOf(9),
            ostcId: 'flow',
            stepId: 'S',
            payload: { __secret: 'x' },
            maxTotalGas: 0,
          },
        ]),
      },
    };
    const created = await world.call(create, { ...common, ...asked[family] });
    const { page, context } = await world.person(PERSON);
    await page.goto(url(created));
    await button(page, 'Decline this request').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Declined', exact: true }).waitFor();
    const { status } = await world.call(read, { [key]: created.id ?? created.handle });
    expect(status).toBe('cancelled');
    // The receipt may be kept; nothing else is left to do.
    expect(await page.getByRole('button').filter({ hasNotText: 'Copy receipt' }).count()).toBe(0);
    await context.close();
  },
);
