/**
 * Whether a chain can be seen now. Agents and people are told before anything is signed (review:Y5).
 *
 * S1. What is asked of a chain anyway tells it, and is remembered (observe/chain-troubles.ts); nobody waits for more.
 * S2. A caller who could not wait for the answer, or found a full gate, has learned nothing. Then, and when nothing was heard for
 *     a minute, one patient question is asked in the background.
 * S3. Whether there is an RPC is a matter of the settings of now, whatever they were when a record was made.
 */
import { type OperationState, ReasonCode } from '@handover/core';
import type { ChainSight } from '@handover/evm';
import {
  type ChainClient,
  ChainElsewhere,
  ChainErrored,
  ChainRefused,
  ChainSilent,
  ChainUnavailable,
  type Patience,
} from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationDependencies } from './dependencies.js';

type SightDependencies = Pick<OperationDependencies, 'chains' | 'chainTroubles' | 'log'>;

export function chainSightOf(
  { chains, chainTroubles }: Pick<SightDependencies, 'chains' | 'chainTroubles'>,
  { chainId }: Pick<OperationState, 'chainId'>,
): ChainSight {
  if (!chains.reads(chainId)) return 'none';
  const trouble = chainTroubles.of(chainId);
  if (!trouble) return 'watched';
  return trouble.code === ReasonCode.RpcWrongChain ? 'another_chain' : 'silent';
}

/** A client of the chain, where there is one, and its head, where it is known soon enough. */
export async function headOf(
  deps: SightDependencies,
  chainId: number,
  patience: Patience,
): Promise<{ readonly client?: ChainClient; readonly head?: number }> {
  const { chains, chainTroubles } = deps;
  let client: ChainClient | undefined;
  try {
    client = await chains.chain(chainId, patience);
    if (!client) {
      chainTroubles.unread(chainId);
      return {};
    }
    const head = await client.blockNumber();
    chainTroubles.answered(chainId);
    return { client, head };
  } catch (thrown) {
    if (!(thrown instanceof ChainUnavailable || thrown instanceof ChainRefused)) throw thrown;
    if (isWordOfRpc(thrown)) chainTroubles.failed(chainId, thrown instanceof ChainElsewhere);
    else askSoon(deps, chainId);
    return client ? { client } : {};
  }
}

/** Says something of the RPC, and not only of the caller's patience or of others who ask. */
const isWordOfRpc = (thrown: ChainUnavailable | ChainRefused): boolean =>
  thrown instanceof ChainSilent ||
  thrown instanceof ChainElsewhere ||
  thrown instanceof ChainErrored ||
  (thrown instanceof ChainUnavailable && thrown.retryAfterMs !== undefined);

/** In the background, if nothing was heard of the chain lately. */
export function askSoon(deps: SightDependencies, chainId: number): void {
  if (deps.chainTroubles.isDue(chainId)) void askChain(deps, chainId);
}

const PATIENCE = { asker: 'sight', withinMs: fixedLimits.chainLookMs.value };

/** One patient question; the answer is remembered. It never throws. */
export async function askChain(deps: SightDependencies, chainId?: number): Promise<void> {
  const { chains, chainTroubles, log } = deps;
  let served = chainId;
  try {
    const client = await (chainId === undefined
      ? chains.defaultChain(PATIENCE)
      : chains.chain(chainId, PATIENCE));
    served ??= client?.chainId;
    await client?.blockNumber();
    if (client) chainTroubles.answered(client.chainId);
    else if (chainId !== undefined) chainTroubles.unread(chainId);
  } catch (thrown) {
    if (thrown instanceof ChainUnavailable && served !== undefined)
      chainTroubles.failed(served, thrown instanceof ChainElsewhere);
    else if (thrown instanceof ChainUnavailable) chainTroubles.failedUnnamed();
    else if (!(thrown instanceof ChainRefused)) log.error('operations.sight', { error: thrown });
  }
}
