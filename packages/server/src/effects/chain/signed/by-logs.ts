/**
 * What a contract account has carried out since an ask stands in the log: each transaction in which it did is proven. One
 * that holds the asked call is a claim (review:S3). A quiet time ends only when the log was read to its end, everything in
 * it is known to be something else, and the account is a Safe whose code is known: any other contract may pay without a
 * line in the log. A node that stands behind leaves the newest lines out and does not say so: what is concluded, is
 * concluded only of blocks that are deep.
 */
import { ClaimKind, ClaimSource, isContested, type OperationCommand, streamKey } from '@handover/core';
import { FAMILY_SERVICES } from '../../../services/operations/families/families.js';
import type { JudgeParts } from '../judge-parts.js';
import { entryPointsOf, singletonsOf } from '../proofs/accounts.js';
import { type CarriedExecution, scanExecutions } from '../proofs/executions.js';
import { proveInnerCall } from '../proofs/inner-call.js';
import { isSafeAt } from '../proofs/known-safe.js';
import { sinceOf } from '../prove.js';
import { isAwaited } from './anothers.js';
import { type AskedAccount, isQuietOver, knownClaim } from './asked-account.js';

export async function lookByLogs(
  parts: JudgeParts,
  asked: AskedAccount,
): Promise<OperationCommand | undefined> {
  const { client, deps, marks } = parts;
  const { record, ask, step, account } = asked;
  const key = `${streamKey(record.ref)}/${ask.id}/${step.id}/logs`;
  const head = asked.through ?? (await client.blockNumber());
  const from = (marks.of(key).block ?? ask.head ?? sinceOf(record, step, head)) + 1;
  const { found, through } = await scanExecutions(
    client,
    account,
    entryPointsOf(deps, client.chainId),
    from,
    head,
  );
  let unsure: number | undefined;
  for (const one of byCarriers(found)) {
    const standing = await compareOne(parts, asked, one);
    if (standing === 'fits')
      return {
        kind: 'claim',
        claim: { step: step.id, ask: ask.id, ...claimedBy(one), source: ClaimSource.Logs },
      };
    if (standing === 'unsure') unsure ??= one.block;
  }
  // The newest blocks may still be exchanged for others, and what is not known is looked at again.
  marks.set(key, { block: Math.min(through, head - deps.confirmations, (unsure ?? head + 1) - 1) });
  if (through < head || unsure !== undefined || !isQuietOver(ask, deps.now())) return undefined;
  const tellsAll = await isSafeAt(client, account, singletonsOf(deps, client.chainId), [head]);
  const deep = Math.max(0, head - deps.confirmations);
  return tellsAll ? { kind: 'settleAsk', ask: ask.id, through: deep } : undefined;
}

/** What a transaction of the owners or an operation did through a module is known by what was signed. */
function byCarriers(found: readonly CarriedExecution[]): readonly CarriedExecution[] {
  const done = found.filter(({ success }) => success);
  const signed = new Set(done.filter(({ kind }) => kind !== 'module').map(({ carrier }) => carrier));
  return done.filter(({ kind, carrier }) => kind !== 'module' || !signed.has(carrier));
}

/** Of a module nothing was signed that could be named: its transaction is. */
const claimedBy = ({ kind, value, carrier }: CarriedExecution) =>
  kind === 'module' ? ({ kind: ClaimKind.Tx, value: carrier } as const) : { kind, value };

async function compareOne(
  parts: JudgeParts,
  looked: AskedAccount,
  { value, carrier }: CarriedExecution,
): Promise<'fits' | 'other' | 'unsure'> {
  const { deps, client } = parts;
  const { record, step, account } = looked;
  const known = knownClaim(record, value, carrier);
  // It was paid, and nobody can say for whom: that never ends as nothing.
  if (known) return isContested(known) ? 'unsure' : 'other';
  const { askedCall } = FAMILY_SERVICES[record.state.family];
  if (!askedCall) return 'unsure';
  const asked = await askedCall(deps, record, step);
  const proof = await proveInnerCall(deps, client, { account, asked, carrier });
  if (!proof || proof.verdict === 'different' || proof.verdict === 'reverted') return 'other';
  if (proof.proof === undefined) return 'unsure';
  return (await isAwaited(parts, looked, carrier, proof)) ? 'unsure' : 'fits';
}
