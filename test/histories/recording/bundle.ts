/** A bundle of one rule and one orchestration, and what its page does with it. */
import { Family, type JsonObject } from '@handover/core';
import { creationData, deploymentSteps } from '@handover/evm';
import { hex } from '../../operations/support/fake-chain.js';
import { type Handed, handOver, OWNER } from './person.js';
import { alice, CHAIN_ID, type RecordingWorld } from './world.js';

export const RULE = 'b1/R1';
export const FLOW = 'b1/flow';
export const ADDRESSES = { [RULE]: hex(0xc0000001, 40), [FLOW]: hex(0xc0000002, 40) };
type StepId = keyof typeof ADDRESSES;

/** Items that name an address are on the chain already. */
export function bundle(deployed: readonly StepId[] = []): JsonObject {
  const at = (id: StepId) => (deployed.includes(id) ? { deployedAddress: ADDRESSES[id] } : {});
  const meta = { bundleId: 'b1' };
  const flow = {
    id: 'flow',
    bundleId: 'b1',
    meta: { type: 'xrc729', alias: 'flow', ...meta, ...at(FLOW) },
    structure: { S1: { rule: 'cm:xrc137:R1' } },
  };
  const rule = {
    id: 'R1',
    bundleId: 'b1',
    address: 'cm:xrc137:R1',
    meta: { type: 'xrc137', alias: 'R1', ...meta, ...at(RULE) },
    payload: {},
  };
  return {
    format: 'xgr-multi-bundle@1',
    createdAt: '2026-06-07T12:00:00Z',
    bundles: [{ bundleId: 'b1', items: [flow, rule] }],
  };
}

export const handingBundle =
  (asked: JsonObject = bundle()) =>
  (world: RecordingWorld) =>
    handOver(world, Family.BundleDeploy, (handoffs, idempotencyKey) =>
      handoffs.createBundleDeploy(alice, {
        network: 'testnet',
        chainId: CHAIN_ID,
        bundle: asked,
        ttlSeconds: 3_600,
        idempotencyKey,
        summary: { title: 'Invoice flow' },
        validation: { valid: true },
      }),
    );

/** What is put on the chain from now on is newer than the wallet that was connected. */
export async function importBundle({ status, chain }: Handed): Promise<void> {
  await status({ status: 'opened' });
  await status({ status: 'imported', account: OWNER });
  chain.advance(1);
}

export const request = ({ status }: Handed, stepId: StepId) =>
  status({ status: 'imported', stepId, stepStatus: 'requested', account: OWNER });

export const refuse = ({ status }: Handed, stepId: StepId) =>
  status({ status: 'imported', stepId, stepStatus: 'failed', error: 'User rejected the request' });

/** Sends what the step asks for, or other data. */
export async function send(handed: Handed, stepId: StepId, data = creationData('0x6001', planOf(stepId))) {
  const txHash = handed.chain.send({ from: OWNER, data });
  const contract = ADDRESSES[stepId];
  await handed.status({ status: 'imported', stepId, stepStatus: 'submitted', txHash, contract });
  return txHash;
}

export async function confirm(handed: Handed, stepId: StepId, hash: Awaited<ReturnType<typeof send>>) {
  const { chain, look } = handed;
  chain.mine(hash, 'success', ADDRESSES[stepId]);
  stands(handed, stepId);
  await look();
  chain.advance(5);
  await look();
}

export async function deploy(handed: Handed, stepId: StepId): Promise<void> {
  await request(handed, stepId);
  await confirm(handed, stepId, await send(handed, stepId));
}

/** The contract is on the chain, with its own text or another. */
export function stands({ chain }: Handed, stepId: StepId, text = planOf(stepId).text): void {
  const said = stepId === RULE ? { rule: text } : { ostc: { flow: text } };
  chain.contracts.set(ADDRESSES[stepId], { owner: OWNER, ...said });
}

function planOf(stepId: StepId) {
  const step = deploymentSteps(bundle([RULE])).find(({ id }) => id === stepId);
  if (!step) throw new Error(`the bundle has no step ${stepId}`);
  return step;
}

export const resultOf = (handle: string, completedAt = '2026-11-15T12:05:00Z'): JsonObject => ({
  handle,
  type: 'xdala_bundle_deploy_result',
  status: 'completed',
  completedAt,
  inputType: 'bundle',
  artifact: bundle([RULE, FLOW]),
  deployResults: [],
});
