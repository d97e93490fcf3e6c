/** From a claim to the server's own word, through the real pipeline and a real chain: every status here follows from blocks. */
import { Family, type JsonObject } from '@handover/core';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createChainReader } from '../../packages/server/src/chain/chain-reader.js';
import type { ChainReader } from '../../packages/server/src/chain/port.js';
import { Verifier } from '../../packages/server/src/effects/chain/verifier.js';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { testToken, tokenCreation, xrc137Creation, xrc729Creation } from '../kit/contracts.js';
import { operationsOf, pageOf } from '../kit/operations.js';
import { createWorld } from '../kit/world.js';
import { startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';

const LIMITS = { timeoutMs: 10_000, maxBytes: 1 << 20, retryAfterMs: [] };
let anvil: Anvil;
let rpc: XgrRpc;
let token: Hex;

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
  token = await anvil.deploy(0, tokenCreation());
});
afterAll(async () => {
  await rpc?.stop();
  await anvil?.stop();
});

function open(
  chains: ChainReader = createChainReader({ rpcs: new Map(), xgrRpc: new URL(rpc.url) }, { rpc: LIMITS }),
) {
  const world = createWorld();
  const { needs, asks, operations } = operationsOf(world, { chains });
  return { ...operations, verifier: new Verifier(needs, asks), agent: world.principal('agent') };
}
type Opened = ReturnType<typeof open>;

function told(outcome: { value: JsonObject } | { rejection: { message: string } }): JsonObject {
  if ('value' in outcome) return outcome.value;
  throw new Error(outcome.rejection.message);
}

const transfer = (amount: bigint): Hex =>
  encodeFunctionData({ ...testToken, functionName: 'transfer', args: [anvil.account(1).address, amount] });

/** A page with its secret, for any family. */
function page(world: Opened, family: Family, made: JsonObject) {
  const url = String(made.operationUrl ?? made.xdalaUrl);
  const asked = { family, id: String(made.id ?? made.handle), secret: new URL(url).hash.replace('#k=', '') };
  const api = pageOf(world.browser, asked);
  return {
    id: asked.id,
    post: async (body: JsonObject) => told(await api.post('status', body)),
    progress: async (body: JsonObject) => told(await api.post('progress', body)),
    result: async (body: JsonObject) => told(await api.post('result', body)),
    /** Lets the server look until it says so. */
    until: (expected: JsonObject) =>
      vi.waitFor(
        async () => {
          await world.verifier.look();
          const { status, verification, steps } = told(await api.get());
          const words = (steps as JsonObject[]).map((step) => step.status);
          const mined = (steps as JsonObject[]).map((step) => step.blockNumber !== undefined);
          expect({ status, verification, steps: words, mined }).toMatchObject(expected);
        },
        { timeout: 20_000, interval: 20 },
      ),
    /** And however often it looks, it says no more. */
    async never(words: readonly string[]) {
      for (let round = 0; round < 8; round++) {
        await world.verifier.look();
        const { status, verification } = told(await api.get());
        expect(words).not.toContain(status);
        expect(words).not.toContain(verification);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}

async function withWorld<T>(world: Opened, run: (world: Opened) => Promise<T>): Promise<T> {
  await world.verifier.start();
  try {
    return await run(world);
  } finally {
    await world.verifier.close();
  }
}

async function transferPage(world: Opened, amounts: readonly bigint[]) {
  const made = await world.service.createOperation(world.agent, {
    type: 'erc20_transfer',
    network: 'local',
    chainId: anvil.chainId,
    steps: amounts.map((amount, i) => ({
      id: `s${i}`,
      txRequest: { from: anvil.account(0).address, to: token, data: transfer(amount) },
    })),
  });
  const opened = page(world, Family.Operation, told(made));
  await opened.post({ status: 'opened' });
  await opened.post({ status: 'wallet_connected' });
  return {
    ...opened,
    async submit(stepId: string, txHash: Hex) {
      await opened.post({ status: 'tx_requested', stepId, account: anvil.account(0).address });
      await opened.post({ status: 'tx_submitted', stepId, txHash });
    },
  };
}

const send = (amount: bigint, gas?: bigint) =>
  anvil.client.sendTransaction({
    account: anvil.account(0),
    to: token,
    data: transfer(amount),
    ...(gas !== undefined && { gas }),
  });

describe('an operation', () => {
  it('of two steps opens the second with a receipt and completes three blocks after it', () =>
    withWorld(open(), async (world) => {
      const opened = await transferPage(world, [1n, 2n]);
      const first = await send(1n);
      await opened.submit('s0', first);
      await opened.until({
        status: 'tx_submitted',
        verification: 'pending',
        steps: ['submitted', 'pending'],
      });
      await expect(opened.post({ status: 'tx_requested', stepId: 's1' })).rejects.toThrow();
      await anvil.mine();
      const second = await send(2n);
      await vi.waitFor(async () => {
        await world.verifier.look();
        await opened.submit('s1', second);
      }, 15_000);
      await anvil.mine(2);
      await opened.until({ steps: ['confirmed', 'submitted'] });
      await anvil.mine();
      await opened.until({
        status: 'completed',
        verification: 'matched',
        steps: ['confirmed', 'confirmed'],
      });
    }));

  it('with the hash of another transaction is mismatched, until the right one is posted', () =>
    withWorld(open(), async (world) => {
      const opened = await transferPage(world, [3n]);
      await opened.submit('s0', await send(4n));
      await anvil.mine(3);
      await opened.until({ status: 'tx_submitted', verification: 'mismatched' });
      const right = await send(3n);
      await anvil.mine(3);
      await opened.post({ status: 'tx_submitted', stepId: 's0', txHash: right });
      await opened.until({ status: 'completed', verification: 'matched' });
    }));

  it('whose block disappears returns to submitted, and completes when it is mined again', () =>
    withWorld(open(), async (world) => {
      const opened = await transferPage(world, [5n]);
      await anvil.mine(3);
      await opened.submit('s0', await send(5n));
      await anvil.mine(2);
      // Pending is what it is before the first look, too: only a block that was seen can disappear.
      await opened.until({ verification: 'pending', mined: [true] });
      await anvil.reorg(2);
      // `reorged` is said once, and the look after it starts over: what stays is that no block holds it.
      await opened.until({ status: 'tx_submitted', steps: ['submitted'], mined: [false] });
      const again = await send(5n);
      await opened.post({ status: 'tx_submitted', stepId: 's0', txHash: again });
      await anvil.mine(3);
      await opened.until({ status: 'completed', verification: 'matched' });
    }));

  it('that reverted fails when that is certain, and can be tried again', () =>
    withWorld(open(), async (world) => {
      const opened = await transferPage(world, [10n ** 30n]);
      await opened.submit('s0', await send(10n ** 30n, 100_000n));
      await anvil.mine();
      await opened.until({ status: 'tx_submitted', verification: 'pending' });
      await anvil.mine(2);
      await opened.until({ status: 'failed', steps: ['failed'] });
      await opened.post({ status: 'tx_requested', stepId: 's0', account: anvil.account(0).address });
    }));

  it('stays as it was while the RPC is down, and is matched when that is back', () =>
    withWorld(open(), async (world) => {
      const opened = await transferPage(world, [6n]);
      const hash = await send(6n);
      await anvil.mine(3);
      rpc.setFault((_request, response) => Boolean(response.destroy()));
      await opened.submit('s0', hash);
      await opened.until({ status: 'tx_submitted' });
      await opened.never(['completed', 'matched']);
      rpc.setFault(undefined);
      await opened.until({ status: 'completed', verification: 'matched' });
    }));

  it('without an RPC is unverified and never more', () =>
    withWorld(open(createChainReader({ rpcs: new Map() })), async (world) => {
      const opened = await transferPage(world, [7n]);
      const hash = await send(7n);
      await anvil.mine(3);
      await opened.submit('s0', hash);
      await opened.never(['completed', 'matched', 'pending']);
      await opened.until({ status: 'tx_submitted', verification: 'unverified', steps: ['submitted'] });
    }));
});

describe('a bundle', () => {
  const BUNDLE = {
    format: 'xgr-multi-bundle@1',
    createdAt: '2026-06-07T12:00:00Z',
    bundles: [
      {
        bundleId: 'b1',
        items: [
          {
            id: 'flow',
            bundleId: 'b1',
            meta: { type: 'xrc729', alias: 'flow', bundleId: 'b1' },
            structure: { S1: { rule: 'cm:xrc137:R1' } },
          },
          {
            id: 'R1',
            bundleId: 'b1',
            address: 'cm:xrc137:R1',
            meta: { type: 'xrc137', alias: 'R1', bundleId: 'b1' },
            payload: {},
          },
        ],
      },
    ],
  };
  const ostc = (rule: string) => `{"id":"flow","structure":{"S1":{"rule":"${rule}"}}}`;

  const RULE = '{"payload":{}}';

  /** A page to which the first account is connected. */
  async function begun(world: Opened) {
    const made = await world.service.createBundleDeploy(world.agent, {
      network: 'local',
      chainId: anvil.chainId,
      bundle: BUNDLE,
    });
    const opened = page(world, Family.BundleDeploy, told(made));
    await opened.post({ status: 'opened' });
    await opened.post({ status: 'imported', account: anvil.account(0).address });
    return {
      ...opened,
      /** Sends the creation as the wallet of a page would, and tells of it. */
      async create(stepId: string, data: Hex): Promise<Hex> {
        const step = { status: 'imported', stepId };
        await opened.post({ ...step, stepStatus: 'requested', account: anvil.account(0).address });
        const txHash = await anvil.client.sendTransaction({ account: anvil.account(0), data });
        await opened.post({ ...step, stepStatus: 'submitted', txHash });
        await anvil.mine(3);
        const { contractAddress } = await anvil.client.getTransactionReceipt({ hash: txHash });
        return (contractAddress ?? '0x').toLowerCase() as Hex;
      },
      name: (rule: Hex, flow: Hex) =>
        opened.result({
          handle: opened.id,
          type: 'xdala_bundle_deploy_result',
          status: 'completed',
          completedAt: '2026-06-07T12:00:00Z',
          inputType: 'multiBundle',
          artifact: {
            items: [
              { id: 'flow', address: flow },
              { id: 'R1', address: rule },
            ],
          },
          deployResults: [],
        }),
    };
  }

  async function placed(n = 0) {
    const rule = await anvil.deploy(n, xrc137Creation(RULE));
    return { rule, flow: await anvil.deploy(n, xrc729Creation({ flow: ostc(rule.toLowerCase()) })) };
  }

  it('is deployed when its contracts stand on the chain', () =>
    withWorld(open(), async (world) => {
      const opened = await begun(world);
      const { rule, flow } = await placed();
      await opened.name(rule, flow);
      await opened.until({ status: 'imported', verification: 'pending' });
      await anvil.mine(3);
      await opened.until({ status: 'deployed', verification: 'matched' });
    }));

  it('is not, when a text is another; contracts of another owner show nothing', () =>
    withWorld(open(), async (world) => {
      const [first, second] = [await begun(world), await begun(world)];
      const { flow } = await placed();
      const others = await anvil.deploy(1, xrc137Creation(RULE));
      const wrong = await anvil.deploy(0, xrc137Creation('{"payload":{},"rules":["false"]}'));
      await anvil.mine(3);
      await first.name(wrong, flow);
      await first.until({ status: 'imported', verification: 'mismatched' });
      await second.name(others, flow);
      await second.until({ status: 'imported', verification: 'pending' });
      await second.never(['deployed', 'matched']);
    }));

  it('review:C4 is not, when its contracts stood there before the request', () =>
    withWorld(open(), async (world) => {
      const { rule, flow } = await placed();
      await anvil.mine(3);
      const opened = await begun(world);
      await opened.name(rule, flow);
      await opened.until({ status: 'imported', verification: 'mismatched' });
      await opened.never(['deployed', 'matched']);
    }));

  it('review:C3 is not, when its contracts serve another request', () =>
    withWorld(open(), async (world) => {
      const [first, second] = [await begun(world), await begun(world)];
      const { rule, flow } = await placed();
      await anvil.mine(3);
      await first.name(rule, flow);
      await first.until({ status: 'deployed' });
      await second.name(rule, flow);
      await second.until({ status: 'imported', verification: 'mismatched' });
    }));

  it('of which each transaction was told is confirmed contract by contract, and a further executor is something else', () =>
    withWorld(open(), async (world) => {
      const opened = await begun(world);
      const rule = await opened.create('b1/R1', xrc137Creation(RULE));
      await opened.until({ steps: ['confirmed', 'pending'] });
      const flow = await opened.create('b1/flow', xrc729Creation({ flow: ostc(rule) }));
      await opened.until({ status: 'imported', steps: ['confirmed', 'confirmed'] });
      await opened.name(rule, flow);
      await opened.until({ status: 'deployed', verification: 'matched' });
      const open = await begun(world);
      const again = await open.create('b1/R1', xrc137Creation(RULE));
      await open.until({ steps: ['confirmed', 'pending'] });
      await open.create('b1/flow', xrc729Creation({ flow: ostc(again) }, [anvil.account(1).address]));
      await open.until({ status: 'imported', verification: 'mismatched', steps: ['confirmed', 'submitted'] });
    }));
});

describe('a session start', () => {
  it('is completed when the node knows the session', () =>
    withWorld(open(), async (world) => {
      const owner = anvil.account(0).address;
      const flow = await anvil.deploy(0, xrc729Creation({ flow: '{"id":"flow","structure":{}}' }));
      const session = { orchestration: flow, ostcId: 'flow', stepId: 'S1', payload: {}, maxTotalGas: 0 };
      const made = told(
        await world.service.createSessionStart(world.agent, {
          source: 'direct',
          network: 'local',
          chainId: anvil.chainId,
          expectedSigner: owner,
          request: {
            type: 'xdala_session_start',
            version: 'xgr-session-start@1',
            mode: 'single',
            sessions: [session],
          },
        }),
      );
      expect(made.authority).toMatchObject({ authorityStatus: 'owner_verified', canStart: true });
      const opened = page(world, Family.SessionStart, made);
      await opened.progress({ index: 0, stepStatus: 'requested', account: owner });
      await opened.progress({ index: 0, stepStatus: 'started', sessionId: '77', owner });
      await opened.result({
        handle: opened.id,
        type: 'xdala_session_start_result',
        status: 'completed',
        completedAt: '2026-06-07T12:00:00Z',
        inputType: 'singleSession',
        originalRequest: {
          type: 'xdala_session_start',
          version: 'xgr-session-start@1',
          handle: opened.id,
          sessions: [session],
        },
        results: [{ ok: true, status: 'started', sessionId: '77', owner }],
      });
      await opened.until({ verification: 'pending' });
      await opened.never(['completed', 'matched']);
      rpc.setSession(owner, '77', 'alive');
      await opened.until({ status: 'completed', verification: 'matched' });
    }));
});
