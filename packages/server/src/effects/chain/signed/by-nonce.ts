/**
 * An account whose number has risen since an ask has sent something: each of those transactions is compared with what was
 * asked for, once. One that fits is a claim (review:S1, review:S2).
 *
 * A quiet time ends only when every transaction up to the last was found and compared, deep enough to stay, and the node
 * knows none that waits. Behind the RPC may be several nodes, some of which stand behind: the transactions are counted as
 * of the block through which the look is said to see, and a node that cannot say that ends nothing.
 */
import {
  ClaimKind,
  ClaimSource,
  isContested,
  type OperationCommand,
  ReasonCode,
  streamKey,
} from '@handover/core';
import { type ChainClient, ChainErrored, ChainRefused } from '../../../chain/port.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Proof } from '../../../services/operations/families/family.js';
import { isAwaiting } from '../asks-and-claims.js';
import type { JudgeParts } from '../judge-parts.js';
import { prove } from '../prove.js';
import { isAwaited, whoseIs } from './anothers.js';
import { type AskedAccount, isQuietOver, knownClaim } from './asked-account.js';

export async function lookByNonce(
  parts: JudgeParts,
  asked: AskedAccount,
): Promise<OperationCommand | undefined> {
  const { client, deps } = parts;
  const { ask, step, account } = asked;
  if (ask.nonce === undefined) return undefined;
  const counted = await countedThrough(client, asked);
  const latest = counted ?? (await client.nonce(account, 'latest'));
  const { fit, all } = await compare(parts, asked, ask.nonce, latest);
  if (fit !== undefined) {
    const claim = { step: step.id, ask: ask.id, kind: ClaimKind.Tx, value: fit, source: ClaimSource.Nonce };
    return { kind: 'claim', claim };
  }
  if (!all || counted === undefined || !isQuietOver(ask, deps.now())) return undefined;
  // More: something waits. Fewer: this node stands behind, and what it knows of those that wait is old.
  return (await client.nonce(account, 'pending')) === counted
    ? { kind: 'settleAsk', ask: ask.id }
    : undefined;
}

/** Undefined: nothing is to be concluded, or the node does not know that block. */
async function countedThrough(
  client: ChainClient,
  { account, through }: AskedAccount,
): Promise<number | undefined> {
  if (through === undefined) return undefined;
  try {
    return await client.nonce(account, through);
  } catch (failure) {
    if (failure instanceof ChainErrored || failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}

/** Also what is not deep yet, and what reverted: it was signed. */
const FITTING: readonly Proof['verdict'][] = ['matched', 'pending', 'reverted'];

interface Compared {
  readonly fit?: string;
  /** Everything that was sent was compared, and will not be exchanged for something else. */
  readonly all: boolean;
}

async function compare(
  { marks, ...parts }: JudgeParts,
  asked: AskedAccount,
  first: number,
  latest: number,
): Promise<Compared> {
  const { record, ask, step, account } = asked;
  const key = `${streamKey(record.ref)}/${ask.id}/${step.id}`;
  let { nonce = first, block = ask.head } = marks.of(key);
  const most = Math.min(latest, nonce + fixedLimits.scannedNonces.value);
  let isDeep = true;
  for (let next = nonce; next < most; next++) {
    const { hash, through } = await parts.client.sentWith(account, next, block);
    if (hash === undefined) {
      if (through !== undefined) block = through;
      isDeep = false;
      break;
    }
    const standing = await compareOne({ marks, ...parts }, asked, hash);
    if (standing === 'fits') return { fit: hash, all: false };
    // What is not deep is compared again: another may still take its place.
    isDeep &&= standing === 'other';
    if (isDeep) nonce = next + 1;
  }
  marks.set(key, { nonce, ...(block !== undefined && { block }) });
  return { all: nonce >= latest };
}

async function compareOne(
  parts: JudgeParts,
  asked: AskedAccount,
  hash: string,
): Promise<'fits' | 'other' | 'unsure'> {
  const { record, step } = asked;
  const known = knownClaim(record, hash);
  // It was paid, and nobody can say for whom: that never ends as nothing.
  if (known) return isContested(known) ? 'unsure' : 'other';
  const looked = { step, claim: { kind: ClaimKind.Tx, value: hash } } as const;
  const seen = await prove(parts, record, looked);
  const { verdict, detail, differs, reason } = seen;
  const isAsked = !differs && detail !== 'not_found' && reason !== ReasonCode.InnerCallUnproven;
  if (isAsked && FITTING.includes(verdict)) {
    // That it fails is known; looked for is one that does not.
    if (hasFailed(asked) && (verdict === 'reverted' || detail === 'reverted'))
      return verdict === 'reverted' ? 'other' : 'unsure';
    const whose = await whoseIs(parts, asked, hash, seen);
    if (whose === 'creator') return 'other';
    // Its ask is not open any more: that it was signed after all is recorded, and judged as if it had been told.
    if (whose === 'others' && !isAwaiting(asked.ask)) return 'fits';
    return whose !== 'nobody' || (await isAwaited(parts, asked, hash, seen)) ? 'unsure' : 'fits';
  }
  return verdict === 'different' || verdict === 'reverted' ? 'other' : 'unsure';
}

const hasFailed = ({ ask, step }: AskedAccount): boolean =>
  step.claims.some((claim) => claim.ask === ask.id && claim.standing === 'nothing');
