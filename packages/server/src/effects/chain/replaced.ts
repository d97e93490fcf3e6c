/**
 * What became of a transaction that the node has known and knows no more (rows 22 to 24 of docs/spec/review.md 1.4). That
 * it is gone decides nothing by itself: a node forgets a transaction before the one in its place is mined.
 *
 * R1. Another transaction with its number that asks for the same was sped up: the claim goes on under that hash.
 * R2. Another one that asks for something else has taken its place, once it is deep: this one will never happen.
 * R3. While its number is free, it may still come.
 * R4. A claim that was seen to be something else than asked answers nothing, however it ends: it is set aside.
 */
import { type ClaimState, type Judgement, ReasonCode, type StepState, streamKey } from '@handover/core';
import type { ChainTransaction, Hex } from '../../chain/port.js';
import type { OperationRecord } from '../../services/operations/record.js';
import type { JudgeParts } from './judge-parts.js';
import { accountsOf } from './proofs/accounts.js';
import { prove } from './prove.js';

type Found = Omit<Judgement, 'step' | 'value'>;

/** Undefined: nothing new is known. */
export async function lookForReplacement(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  { sender, nonce, value, differs: difference }: ClaimState,
): Promise<Found | undefined> {
  if (sender === undefined || nonce === undefined) return undefined;
  const { client } = parts;
  const account = sender as Hex;
  const other = await sentInstead(parts, record, account, nonce);
  if (other === undefined || other === value) {
    const isFree = (await client.nonce(account, 'latest')) <= nonce;
    return isFree ? { verdict: 'pending', reason: ReasonCode.Dropped, detail: 'not_found' } : undefined;
  }
  const looked = { step, claim: { kind: 'tx', value: other } } as const;
  const { verdict, block, differs } = await prove(parts, record, looked);
  if (verdict === 'matched' || verdict === 'pending' || verdict === 'reorged')
    return { verdict: 'faster', by: other, reason: ReasonCode.SpedUp };
  // A revert of the same call: the claim goes on under that hash, and the next look says so.
  if (verdict === 'reverted' && !differs) return { verdict: 'faster', by: other, reason: ReasonCode.SpedUp };
  if (verdict !== 'different' && verdict !== 'reverted') return undefined;
  // What the owners of a contract signed can be carried by another transaction, of whoever.
  const accounts = accountsOf(record, step);
  if (accounts.length > 0 && !accounts.includes(account))
    return { verdict: 'pending', reason: ReasonCode.Dropped, detail: 'not_found' };
  // It was never the asked one, so its end says nothing about that.
  if (difference !== undefined)
    return { verdict: 'aside', reason: ReasonCode.Mismatched, detail: difference };
  const transaction = await client.getTransaction(other);
  return {
    verdict: 'replaced',
    by: other,
    reason: ReasonCode.Replaced,
    ...(block && { block }),
    ...(transaction && isNothing(transaction) && { detail: 'cancelled_in_wallet' }),
  };
}

/** The transaction that has the number, as far as blocks were read; the next look goes on. */
async function sentInstead(
  { client, marks }: JudgeParts,
  { ref, state }: OperationRecord,
  account: Hex,
  nonce: number,
): Promise<Hex | undefined> {
  const key = `${streamKey(ref)}/${account}/${nonce}`;
  const { hash, through } = await client.sentWith(account, nonce, marks.of(key).block ?? state.head);
  if (through !== undefined) marks.set(key, { block: through });
  return hash;
}

/** How wallets cancel: nothing, sent to oneself. */
const isNothing = ({ from, to, value, data }: ChainTransaction): boolean =>
  from === to && value === 0n && (data === '0x' || data === ('' as Hex));
