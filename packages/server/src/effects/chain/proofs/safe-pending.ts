/**
 * What is known of a hash that the owners of a Safe sign, before anybody has carried it out (review:V3). The hash says
 * which call it is for, once its number is guessed; the numbers that come next are tried.
 */
import { ReasonCode } from '@handover/core';
import { type AskedCall, plainSafeCall, safeTxHash } from '@handover/evm';
import type { ChainClient, Hex } from '../../../chain/port.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { OperationDependencies } from '../../../services/operations/dependencies.js';
import type { LookedAt, Proof } from '../../../services/operations/families/family.js';
import { singletonsOf } from './accounts.js';
import { isSafeAt } from './known-safe.js';
import { readSafeNonce, readThreshold } from './safe-state.js';

/** Undefined: the account is no Safe, or the hash is for something that cannot be told. */
export async function proveSafePending(
  deps: OperationDependencies,
  client: ChainClient,
  account: Hex,
  asked: AskedCall,
  claim: LookedAt['claim'],
): Promise<Proof | undefined> {
  const next = await readSafeNonce(client, account);
  if (next === undefined) return undefined;
  const known = claim.kind === 'safe' ? claim.nonce : undefined;
  const nonce = known ?? numberOf(client.chainId, account, asked, claim.value, next);
  if (nonce === undefined) return undefined;
  if (next > nonce && (await isPassed(deps, client, account, nonce)))
    return {
      verdict: 'replaced',
      reason: ReasonCode.Replaced,
      kind: 'safe',
      from: account,
      safeNonce: nonce,
    };
  const owners = await readThreshold(client, account);
  return {
    verdict: 'pending',
    reason: ReasonCode.SafePending,
    kind: 'safe',
    safeNonce: nonce,
    ...(owners !== undefined && { owners }),
  };
}

/** The number with which the hash is exactly the asked call. */
function numberOf(
  chainId: number,
  account: Hex,
  asked: AskedCall,
  hash: string,
  next: number,
): number | undefined {
  const call = plainSafeCall(asked);
  if (!call) return undefined;
  for (let nonce = next; nonce < next + fixedLimits.safeNonces.value; nonce++)
    if (safeTxHash(chainId, account, call, nonce) === hash) return nonce;
  return undefined;
}

/** Another transaction has used its number, deep enough. Only of a Safe whose code is known: others count as they like. */
async function isPassed(
  { confirmations, ...deps }: OperationDependencies,
  client: ChainClient,
  account: Hex,
  nonce: number,
): Promise<boolean> {
  const depth = Math.max(0, (await client.blockNumber()) - confirmations + 1);
  const then = await readSafeNonce(client, account, depth);
  if (then === undefined || then <= nonce) return false;
  return isSafeAt(client, account, singletonsOf(deps, client.chainId), [depth]);
}
