/** A request for one call of an account, its page, and the server's looks at a real chain, one at a time. */
import { Family, type JsonObject } from '@handover/core';
import type { Hex } from 'viem';
import { expect, vi } from 'vitest';
import { createChainReader } from '../../../packages/server/src/chain/chain-reader.js';
import type { SmartAccounts } from '../../../packages/server/src/config/read-chains.js';
import { lookAtRecord } from '../../../packages/server/src/effects/chain/look-at-record.js';
import { ScanMarks } from '../../../packages/server/src/effects/chain/scan-marks.js';
import { Verifier } from '../../../packages/server/src/effects/chain/verifier.js';
import { operationRef } from '../../../packages/server/src/services/operations/ids.js';
import type { Anvil } from '../../kit/anvil.js';
import { type OperationsOptions, operationsOf, pageOf } from '../../kit/operations.js';
import type { Call } from '../../kit/smart-accounts.js';
import { createWorld } from '../../kit/world.js';
import type { RpcFault } from '../../kit/xgr-rpc.js';

const LIMITS = { timeoutMs: 5_000, maxBytes: 4 << 20, retryAfterMs: [] };
/** Nothing happens by itself: tests look. */
const NEVER_MS = 1_000_000;

/** A provider that does not give traces. */
export const refuseTraces: RpcFault = ({ method, id }, response) => {
  if (method !== 'debug_traceTransaction') return false;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } }));
  return true;
};

export interface WatchOptions {
  readonly url?: string;
  readonly entryPoints?: readonly string[];
  readonly singletons?: readonly string[];
}

export function watchedWorld(anvil: Anvil, options: WatchOptions = {}) {
  const { url = anvil.url, entryPoints = [], singletons = [] } = options;
  const smartAccounts: SmartAccounts = {
    entryPoints: new Map([[anvil.chainId, entryPoints]]),
    safeSingletons: new Map([[anvil.chainId, singletons]]),
  };
  const chains = createChainReader({ rpcs: new Map([[anvil.chainId, new URL(url)]]) }, { rpc: LIMITS });
  return openWatched(anvil.chainId, { chains, smartAccounts });
}

/** With whatever chain the test brings. */
export async function openWatched(chainId: number, options: OperationsOptions) {
  const world = createWorld();
  const { needs, asks, operations } = operationsOf(world, options);
  const verifier = new Verifier(needs, asks, { pollMs: NEVER_MS });
  await verifier.start();
  const agent = world.principal('agent');

  /** The steps of one request, each asked for in turn. */
  const request = async (account: string, calls: readonly Call[], creator = 'agent') => {
    const made = told(
      await operations.service.createOperation(world.principal(creator), {
        type: 'payment',
        network: 'local',
        chainId,
        steps: calls.map(({ to, value = 0n, data }, i) => ({
          id: `s${i}`,
          txRequest: { to, value: `0x${value.toString(16)}`, ...(data && { data }) },
        })),
      }),
    );
    const secret = new URL(String(made.operationUrl)).hash.replace('#k=', '');
    const api = pageOf(operations.browser, { family: Family.Operation, id: String(made.id), secret });
    const post = async (body: JsonObject) => told(await api.post('status', body));
    const get = async (): Promise<Wire> => told(await api.get());
    await post({ status: 'opened' });
    return {
      post,
      get,
      /** Comes back when the server watches for it. */
      ask: async (...stepIds: readonly string[]) => {
        const steps = stepIds.length > 1 ? { stepIds } : { stepId: stepIds[0] ?? 's0' };
        const { ask } = (await post({ status: 'tx_requested', ...steps, account })) as Wire;
        const known = () => asks.byAccount(chainId, account.toLowerCase()).map((one) => one.ask);
        await vi.waitFor(() => expect(known()).toContain(ask.id), { timeout: 15_000, interval: 5 });
      },
      claim: (hash: Hex, stepId = 's0') => post({ status: 'tx_submitted', stepId, txHash: hash }),
      /** Lets the server look until it says so. */
      until: (expected: object) =>
        vi.waitFor(
          async () => {
            await verifier.look();
            expect(summary(await get())).toMatchObject(expected);
          },
          { timeout: 15_000, interval: 30 },
        ),
      /** However often it looks, it goes on saying so. */
      async stays(expected: object) {
        for (let round = 0; round < 4; round++) {
          await verifier.look();
          expect(summary(await get())).toMatchObject(expected);
        }
      },
    };
  };
  /** One look at one record, and what it says about the next. */
  const lookAt = (id: string) =>
    lookAtRecord(needs, { asks, marks: new ScanMarks() }, operationRef(agent.tenant, id));
  return { request, verifier, lookAt, clock: world.clock, close: () => verifier.close() };
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
export type Wire = any;

/** What an agent decides by, and the claim of the first step. */
function summary(view: Wire) {
  const { status, effect, reasonCode, reasonDetail, steps } = view;
  const claims = steps[0].claims ?? [];
  return { status, effect, reasonCode, reasonDetail, claim: claims.at(-1), claims };
}

function told(outcome: { value: JsonObject } | { rejection: { message: string } }): JsonObject {
  if ('value' in outcome) return outcome.value;
  throw new Error(outcome.rejection.message);
}
