/** Session starts and bundles of several agents on one server, looked at when the test says so. */
import { Family, type JsonObject } from '@handover/core';
import { expect, vi } from 'vitest';
import type { ChainReader } from '../../../packages/server/src/chain/port.js';
import { Verifier } from '../../../packages/server/src/effects/chain/verifier.js';
import { operationsOf, pageOf } from '../../kit/operations.js';
import { tokensEnv } from '../../kit/tokens.js';
import { createWorld } from '../../kit/world.js';
import { R1, S1 } from './examples.js';

/** Nothing happens by itself: tests look. */
const NEVER_MS = 1_000_000;
let markers = 0;

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
export type Wire = any;

export async function openRequests(chainId: number, chains: ChainReader) {
  const world = createWorld({
    env: tokensEnv({
      alice: { sender: 'alice' },
      bob: { sender: 'bob' },
      carol: { sender: 'carol', tenant: 'elsewhere' },
    }),
  });
  const { needs, asks, operations } = operationsOf(world, { chains });
  const verifier = new Verifier(needs, asks, { pollMs: NEVER_MS });
  await verifier.start();

  function pageFor(family: Family, made: JsonObject) {
    const secret = new URL(String(made.xdalaUrl)).hash.replace('#k=', '');
    const api = pageOf(operations.browser, { family, id: String(made.handle), secret });
    const get = async (): Promise<Wire> => told(await api.get());
    return {
      handle: String(made.handle),
      made: made as Wire,
      get,
      /** What is refused comes back as its code and message. */
      post: async (name: 'status' | 'progress' | 'result', body: object): Promise<Wire> => {
        const outcome = await api.post(name, body);
        return 'value' in outcome ? outcome.value : { refused: outcome.rejection };
      },
      /** Lets the server look until it says so. */
      until: (expected: object) =>
        vi.waitFor(
          async () => {
            await verifier.look();
            expect(await get()).toMatchObject(expected);
          },
          { timeout: 10_000, interval: 20 },
        ),
      /** However often it looks, it goes on saying so. */
      async stays(expected: object) {
        await followed();
        for (let round = 0; round < 5; round++) {
          await verifier.look();
          expect(await get()).toMatchObject(expected);
        }
      },
    };
  }

  /** `over`: further arguments of the tool. */
  async function session(
    agent: string,
    over: { readonly request?: JsonObject; readonly expectedSigner?: string } = {},
  ) {
    const { handle: _handle, ...request } = S1();
    const args = { source: 'direct', network: 'testnet', chainId, request, ...over } as const;
    const made = told(await operations.service.createSessionStart(world.principal(agent), args));
    const page = pageFor(Family.SessionStart, made);
    const progress = (body: object) => page.post('progress', { index: 0, ...body });
    return {
      ...page,
      progress,
      ask: (account: string, more: object = {}) => progress({ stepStatus: 'requested', account, ...more }),
      started: (owner: string, sessionId: string, more: object = {}) =>
        progress({ stepStatus: 'started', owner, sessionId, ...more }),
      result: (owner: string, sessionId: string) => {
        const result = R1(page.handle);
        Object.assign(result.results[0], { owner, sessionId });
        return page.post('result', result);
      },
    };
  }

  /** Comes back when the server has seen everything that was posted: a later ask is known to it. */
  async function followed(): Promise<void> {
    const account = `0x${(++markers).toString(16).padStart(40, 'f')}`;
    await (await session('alice')).ask(account);
    const known = () => expect(asks.byAccount(chainId, account)).toHaveLength(1);
    await vi.waitFor(known, { timeout: 10_000, interval: 5 });
  }

  return {
    followed,
    clock: world.clock,
    close: () => verifier.close(),
    session,
    /** A session start made of what a bundle has deployed. */
    fromBundle: async (agent: string, bundleDeployHandle: string) => {
      const args = {
        source: 'bundle_deploy_result',
        network: 'testnet',
        chainId,
        bundleDeployHandle,
      } as const;
      return told(await operations.service.createSessionStart(world.principal(agent), args));
    },
    async bundle(agent: string, bundle: JsonObject) {
      const args = { network: 'testnet', chainId, bundle };
      const made = told(await operations.service.createBundleDeploy(world.principal(agent), args));
      const page = pageFor(Family.BundleDeploy, made);
      const status = (body: object) => page.post('status', body);
      return {
        ...page,
        status,
        cancel: async (): Promise<Wire> =>
          told(await operations.service.cancel(world.principal(agent), Family.BundleDeploy, page.handle)),
        connect: async (account: string) => {
          await status({ status: 'opened' });
          await status({ status: 'imported', account });
        },
        result: (artifact: object) =>
          page.post('result', {
            handle: page.handle,
            type: 'xdala_bundle_deploy_result',
            status: 'completed',
            completedAt: '2026-11-15T12:05:00Z',
            inputType: 'bundle',
            artifact,
            deployResults: [],
          }),
      };
    },
  };
}

function told(outcome: { value: JsonObject } | { rejection: { message: string } }): JsonObject {
  if ('value' in outcome) return outcome.value;
  throw new Error(JSON.stringify(outcome.rejection));
}
