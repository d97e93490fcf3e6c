/**
 * Proof of a deployed contract by what stands on the chain: code is there, the text reads back byte for byte, and the signer
 * owns it. It holds however the contract was created, so it needs no transaction and no event.
 *
 * P1. The proof is read as deep as the configured confirmations ask; what stands only in newer blocks is `pending`.
 * P2. No code yet is `pending`, not a contradiction: nodes lag behind one another. Another text or owner is `mismatched`.
 */
import type { Verification } from '@handover/core';
import { decodeAddress, decodeText, Selector, textCall } from '@handover/evm';
import { type ChainCall, ChainRefused, type Hex } from './port.js';

export interface ExpectedContract {
  readonly address: Hex;
  readonly kind: 'xrc137' | 'xrc729';
  /** Of an XRC-729. */
  readonly ostcId?: string;
  readonly text: string;
  /** Undefined: whoever owns it. */
  readonly owner?: string;
}

export interface ContractProof {
  readonly verdict: Extract<Verification, 'pending' | 'matched' | 'mismatched'>;
  readonly reason?: string;
}

interface StateReader {
  blockNumber(): Promise<number>;
  call(call: ChainCall, at?: number): Promise<Hex>;
  code(address: Hex, at?: number): Promise<Hex>;
}

export async function proveContract(
  client: StateReader,
  expected: ExpectedContract,
  confirmations: number,
): Promise<ContractProof> {
  const head = await client.blockNumber();
  const now = await contractAt(client, expected, head);
  if (now.verdict !== 'matched' || confirmations <= 1) return now;
  const depth = head - confirmations + 1;
  if (depth < 0) return { verdict: 'pending', reason: 'confirming' };
  const { verdict } = await contractAt(client, expected, depth);
  return verdict === 'matched' ? { verdict } : { verdict: 'pending', reason: 'confirming' };
}

/** As of one block. */
export async function contractAt(
  client: Pick<StateReader, 'call' | 'code'>,
  expected: ExpectedContract,
  at: number,
): Promise<ContractProof> {
  const { address, kind, ostcId = '', text, owner } = expected;
  if ((await client.code(address, at)) === '0x') return { verdict: 'pending', reason: 'no_code' };
  const data: Hex = kind === 'xrc137' ? `0x${Selector.getRule}` : textCall(Selector.getOstc, ostcId);
  const found = await answer(client.call({ to: address, data }, at));
  if (found === undefined || decodeText(found) !== text)
    return { verdict: 'mismatched', reason: kind === 'xrc137' ? 'rule_differs' : 'ostc_differs' };
  if (owner === undefined) return { verdict: 'matched' };
  const holder = await answer(client.call({ to: address, data: `0x${Selector.owner}` }, at));
  if (holder === undefined || decodeAddress(holder) !== owner.toLowerCase())
    return { verdict: 'mismatched', reason: 'owner_differs' };
  return { verdict: 'matched' };
}

/** Undefined when the call is refused. */
async function answer(call: Promise<Hex>): Promise<Hex | undefined> {
  try {
    return await call;
  } catch (failure) {
    if (failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}
