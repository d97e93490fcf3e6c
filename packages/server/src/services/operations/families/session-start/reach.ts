/**
 * The chain that a session start is for, and who reads it.
 *
 * R1. A whole request (`direct`) can be made without an RPC for its chain if it names that: nothing is read then, and the
 *     record says so. RPCs of other chains have nothing to do with it. Every other source is read from the chain.
 * R2. An RPC that is configured must answer, and serve the chain that was asked for.
 * R3. A refusal names the settings that mend it, never their values.
 */
import { type JsonObject, type Rejection, RejectionCode, reject, rejectWith } from '@handover/core';
import type { Principal } from '../../../../auth/principal.js';
import { type ChainClient, ChainRefused, ChainUnavailable } from '../../../../chain/port.js';
import type { Outcome } from '../../../outcome.js';
import { patienceOf, waitOf } from '../../chain-patience.js';
import type { OperationDependencies } from '../../dependencies.js';

export interface ReachedChain {
  readonly chainId: number;
  /** Absent: no RPC is configured for it. */
  readonly client?: ChainClient;
}

export interface Wanted {
  readonly source: 'runtime' | 'bundle_deploy_result' | 'direct';
  readonly chainId?: number;
}

export async function reachChain(
  { chains }: Pick<OperationDependencies, 'chains'>,
  principal: Principal,
  { source, chainId: asked }: Wanted,
): Promise<Outcome<ReachedChain>> {
  const patience = patienceOf(principal);
  try {
    const own = asked === undefined ? undefined : await chains.chain(asked, patience);
    if (!own && asked !== undefined && source === 'direct') return { value: { chainId: asked } };
    const client = own ?? (await chains.defaultChain(patience));
    if (!client) return withoutRpc(source, asked);
    if (asked !== undefined && client.chainId !== asked)
      return invalid(`chainId ${asked} was asked for, but the configured RPC serves ${client.chainId}`);
    // The first answer proves that the RPC is reachable and serves the right chain.
    await client.blockNumber();
    return { value: { chainId: client.chainId, client } };
  } catch (thrown) {
    if (thrown instanceof ChainUnavailable) return unreadable(asked, thrown.message, waitOf(thrown));
    if (thrown instanceof ChainRefused) return unreadable(asked, 'the RPC refused');
    throw thrown;
  }
}

function withoutRpc(source: Wanted['source'], asked: number | undefined): Outcome<ReachedChain> {
  if (source !== 'direct') return unreadable(asked, 'no RPC is configured');
  return invalid(`chainId is needed when no RPC is configured (${settingsFor(asked)})`);
}

const settingsFor = (chainId: number | undefined): string =>
  `XGR_RPC_URL, HANDOVER_RPC_URL_${chainId ?? '<chainId>'}`;

const invalid = (message: string): { rejection: Rejection } => ({
  rejection: reject(RejectionCode.VALIDATION_ERROR, message),
});

/** The same request may be sent again: nothing was stored. */
function unreadable(
  asked: number | undefined,
  why: string,
  wait: JsonObject = {},
): { readonly rejection: Rejection } {
  const message = `failed to read chainId from configured RPC: ${why} (${settingsFor(asked)})`;
  return { rejection: rejectWith(RejectionCode.HANDOFF_FAILED, message, { ...wait, retryable: true }) };
}
