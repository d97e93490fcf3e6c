/** A bundle from the agent to the chain: deployed is said only when every contract is there and says the right text. */
import { creationData, deploymentSteps } from '@handover/evm';
import { describe, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { B1, B2, MERMAID_B1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type World } from './support/world.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
type Loose = any;
const OWNER = '0x3333333333333333333333333333333333333333';
const chain = new FakeChain(1879);
const world = await useWorld({ chains: readerOf(chain) });

async function newBundle(bundle: Loose, on: World = world) {
  const args = { network: 'testnet', chainId: 1879, bundle, ttlSeconds: 600 };
  const { data } = await on.tool('alice', 'create_xdala_bundle_deploy_handoff', args);
  const secret = secretIn(data.xdalaUrl);
  const path = `/api/bundle-deploy/${data.handle}`;
  return {
    data,
    handle: data.handle as string,
    secret,
    get: () => on.api(path, { secret }),
    status: (body: object) => on.api(`${path}/status`, { secret, body }),
    result: (body: object) => on.api(`${path}/result`, { secret, body }),
    agent: () => on.tool('alice', 'get_xdala_bundle_deploy_result', { handle: data.handle }),
  };
}

let contracts = 0;
const newAddress = () => hex(0xc0000000 + ++contracts, 40);

/** What a page does: every step in order, each contract put on the chain. */
async function deploy(made: Awaited<ReturnType<typeof newBundle>>, bundle: Loose) {
  const artifact = structuredClone(bundle);
  await made.status({ status: 'opened' });
  await made.status({ status: 'imported' });
  const { steps } = (await made.get()).json;
  const addresses = new Map<string, string>();
  for (const { id, deployment } of steps) {
    const requested = await made.status({
      status: 'imported',
      stepId: id,
      stepStatus: 'requested',
      account: OWNER,
    });
    expect(requested.status, requested.text).toBe(200);
    let text: string = deployment.text;
    for (const [alias, address] of addresses) text = text.replaceAll(`"cm:xrc137:${alias}"`, `"${address}"`);
    const contract = newAddress();
    const { kind, ostcId, alias } = deployment;
    const txHash = chain.send({ from: OWNER, data: creationData('0x6001', { kind, text, ostcId }) });
    chain.mine(txHash, 'success', contract);
    chain.contracts.set(contract, {
      owner: OWNER,
      ...(kind === 'xrc137' ? { rule: text } : { ostc: { [ostcId]: text } }),
    });
    addresses.set(alias, contract);
    const submitted = await made.status({
      status: 'imported',
      stepId: id,
      stepStatus: 'submitted',
      txHash,
      contract,
    });
    expect(submitted.status, submitted.text).toBe(200);
    await until(
      made.get,
      ({ json }) => json.steps.find((one: Loose) => one.id === id).blockNumber !== undefined,
    );
    const item = artifact.bundles[0].items.find((one: Loose) => one.id === deployment.itemId);
    item.meta.deployedAddress = contract;
  }
  chain.advance(5);
  return artifact;
}

const resultOf = (handle: string, artifact: object) => ({
  handle,
  type: 'xdala_bundle_deploy_result',
  status: 'completed',
  completedAt: '2026-11-15T12:05:00Z',
  inputType: 'bundle',
  artifact,
  deployResults: [],
});

describe('a bundle deploy', () => {
  it('is deployed when the chain says so, and becomes the source of a session', async () => {
    const made = await newBundle(B1());
    expect(made.data).toMatchObject({ status: 'pending_import', digest: expect.stringMatching(/^sha256:/) });
    const artifact = await deploy(made, B1());
    const posted = await made.result(resultOf(made.handle, artifact));
    expect([posted.status, posted.json.status]).toEqual([200, 'imported']);
    const { json } = await until(made.get, (answer) => answer.json.status === 'deployed');
    expect(json).toMatchObject({ verification: 'matched', account: OWNER });
    expect(json.steps.every(({ status }: Loose) => status === 'confirmed')).toBe(true);
    const same = await made.result(resultOf(made.handle, artifact));
    expect([same.status, same.json.status]).toEqual([200, 'deployed']);
    expect((await made.result(resultOf(made.handle, { ...artifact, extra: 1 }))).status).toBe(409);
    const { data } = await made.agent();
    expect(data).toMatchObject({
      status: 'deployed',
      effect: 'done',
      receipt: { outcome: 'deployed', effect: 'done', basis: ['page', 'chain'] },
    });

    const started = await world.tool('alice', 'create_xdala_session_start_handoff', {
      source: 'bundle_deploy_result',
      network: 'testnet',
      bundleDeployHandle: made.handle,
      payload: { InvoiceId: 'INV-7', Amount: '1200' },
      expectedSigner: OWNER,
    });
    expect(started.data.request.sessions[0]).toMatchObject({ stepId: 'Intake', ostcId: 'invoice_flow' });
    expect(started.data.authority.authorityStatus).toBe('owner_verified');
    expect(started.data.validation.missingPayload).toEqual([]);
  });

  it('a result that is not about the stored bundle is refused, one that the chain contradicts is a mismatch', async () => {
    const made = await newBundle(B2());
    await made.status({ status: 'opened' });
    await made.status({ status: 'imported', account: OWNER });
    chain.advance(1);
    expect((await made.result(resultOf(made.handle, { bundles: [] }))).status).toBe(409);
    expect((await made.result({ ...resultOf(made.handle, B2()), type: 'x' })).status).toBe(400);
    const artifact = B2();
    const [flow, rule] = artifact.bundles[0].items;
    [flow.meta.deployedAddress, rule.meta.deployedAddress] = [newAddress(), newAddress()];
    chain.contracts.set(flow.meta.deployedAddress, { owner: OWNER, ostc: { flow: '{}' } });
    chain.contracts.set(rule.meta.deployedAddress, { owner: OWNER, rule: '{"payload":{"Other":{}}}' });
    chain.advance(5);
    expect((await made.result(resultOf(made.handle, artifact))).status).toBe(200);
    const { json } = await until(made.get, (answer) => answer.json.verification === 'mismatched');
    expect(json.status).toBe('imported');
    const [, right] = deploymentSteps(B2());
    const [ruleStep] = deploymentSteps(B2());
    chain.contracts.set(rule.meta.deployedAddress, { owner: OWNER, rule: ruleStep?.text ?? '' });
    const text = (right?.text ?? '').replace('"cm:xrc137:R1"', `"${rule.meta.deployedAddress}"`);
    chain.contracts.set(flow.meta.deployedAddress, { owner: OWNER, ostc: { flow: text } });
    const again = await made.result({
      ...resultOf(made.handle, artifact),
      completedAt: '2026-11-15T12:06:00Z',
    });
    expect(again.status).toBe(200);
    await until(made.get, (answer) => answer.json.status === 'deployed');
  });

  it('without an RPC it stays imported', async () => {
    const alone = await openWorld();
    const made = await newBundle(B2(), alone);
    const artifact = B2();
    for (const item of artifact.bundles[0].items) item.meta.deployedAddress = newAddress();
    const { json } = await made.result(resultOf(made.handle, artifact));
    expect(json).toMatchObject({ status: 'imported', verification: 'unverified' });
    await alone.close();
  });

  it('an invalid bundle is refused with codes and paths, and nothing is stored', async () => {
    const bundle = { ...B2(), kind: 'x' };
    const before = await world.store.position();
    const { isError, data } = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', {
      network: 'n',
      chainId: 1879,
      bundle,
    });
    expect(isError).toBe(true);
    expect(data.details.errors).toMatchObject([{ code: 'ROOT_FIELD_INVALID', path: '.kind' }]);
    expect(await world.store.position()).toBe(before);
  });

  it('moves forward only, can be declined, and two tabs cannot both deploy', async () => {
    const made = await newBundle(B2());
    expect((await made.status({ status: 'imported' })).status).toBe(409);
    for (const status of ['opened', 'imported', 'opened', 'imported'])
      expect((await made.status({ status })).status).toBe(200);
    expect((await made.status({ status: 'deployed' })).status).toBe(409);
    const step = { status: 'imported', stepId: 'b1/R1', stepStatus: 'requested' };
    const both = await Promise.all([made.status(step), made.status(step)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = { ...step, stepStatus: 'failed', answer: 'refused', walletCode: 4001, error: 'no' };
    expect((await made.status(refused)).status).toBe(200);
    expect((await made.status({ status: 'cancelled' })).json.status).toBe('cancelled');
    expect((await made.result(resultOf(made.handle, B2()))).status).toBe(409);
  });

  it('is drawn for its creator until it expires', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const made = await newBundle(B1(), timed);
    const draw = (agent: string) =>
      timed.tool(agent, 'get_xdala_process_mermaid', { source: 'bundle_handoff', handle: made.handle });
    expect((await draw('alice')).data.mermaid).toBe(MERMAID_B1);
    expect((await draw('mallory')).data.errorCode).toBe('OPERATION_NOT_FOUND');
    expect((await made.get()).json.graph.mermaid).toBe(MERMAID_B1);
    timed.clock.now += 600_001;
    const expired = await draw('alice');
    expect(expired.data.errorCode).toBe('SESSION_EXPIRED');
    expect(expired.data.details.expiresAt).toBe(made.data.expiresAt);
    const { data } = await timed.tool('alice', 'get_xdala_bundle_deploy_handoff', { handle: made.handle });
    expect(data.status).toBe('expired');
    expect(data).not.toHaveProperty('bundle');
    expect((await made.get()).status).toBe(410);
    await timed.close();
  });
});
