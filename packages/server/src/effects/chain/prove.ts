/**
 * What the chain shows of a value that is said to be the result of a step (review:2.1): a transaction that is the asked
 * call, one that holds it inside, what the owners of a Safe sign, or an operation of an ERC-4337 account. Which of these it
 * is, is found out at each look until it is known.
 */
import { ClaimKind, type StepState, streamKey } from '@handover/core';
import type { AskedCall } from '@handover/evm';
import { MismatchReason } from '../../chain/check-transaction.js';
import type { Hex } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { LookedAt, Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import type { JudgeParts } from './judge-parts.js';
import { AccountKind, accountKind, accountsOf, entryPointsOf } from './proofs/accounts.js';
import { scanExecutions } from './proofs/executions.js';
import { proveInnerCall } from './proofs/inner-call.js';
import { proveSafePending } from './proofs/safe-pending.js';
import { carriedInstead } from './proofs/safe-replaced.js';

export async function prove(parts: JudgeParts, record: OperationRecord, looked: LookedAt): Promise<Proof> {
  const { deps, client } = parts;
  const { askedCall, proveClaim } = FAMILY_SERVICES[record.state.family];
  const { claim, step } = looked;
  const isCarried = claim.kind === ClaimKind.Safe || claim.kind === ClaimKind.UserOp;
  const found: Proof = isCarried
    ? { verdict: 'pending', detail: 'not_found' }
    : await proveClaim(deps, client, record, looked);
  if (!askedCall || !isDoubtful(found) || isOlder(record, found)) return found;
  const asked = await askedCall(deps, record, step);
  for (const account of accountsOf(record, step)) {
    const kind = await accountKind(client, account);
    if (kind === AccountKind.Plain) continue;
    const carried =
      found.detail === 'not_found'
        ? await proveCarried(parts, record, looked, account, asked, kind)
        : await proveInside(parts, looked, account, asked);
    if (carried) return carried;
  }
  return found;
}

/** It was there before the request, so it need not be proven: it belongs to something else. */
const isOlder = ({ state }: OperationRecord, { block }: Proof): boolean =>
  block !== undefined && state.head !== undefined && block.number <= state.head;

/** It is not the asked call itself, or no transaction at all: an account may have made the call inside. */
function isDoubtful({ verdict, detail }: Proof): boolean {
  // It is the asked call, and does more than was asked.
  if (detail === MismatchReason.Delegates) return false;
  return verdict === 'shallow' || verdict === 'different' || verdict === 'reverted' || detail === 'not_found';
}

/** The value is a transaction. */
async function proveInside(
  { deps, client }: JudgeParts,
  { claim }: LookedAt,
  account: Hex,
  asked: AskedCall,
): Promise<Proof | undefined> {
  const { value, block: seen } = claim;
  return proveInnerCall(deps, client, { account, asked, carrier: value as Hex, ...(seen && { seen }) });
}

/** The value is a hash that was signed, and a transaction of somebody carries it. */
async function proveCarried(
  parts: JudgeParts,
  record: OperationRecord,
  looked: LookedAt,
  account: Hex,
  asked: AskedCall,
  accountIs: AccountKind,
): Promise<Proof | undefined> {
  const { deps, client } = parts;
  const { claim, step } = looked;
  const { carrier, kind, all } = await carrierOf(parts, record, step, claim, account);
  if (carrier !== undefined) {
    const { block: seen } = claim;
    const found = await proveInnerCall(deps, client, { account, asked, carrier, ...(seen && { seen }) });
    return found && { ...found, ...(kind && { kind }) };
  }
  // Only when the log was read to its end is it known that nobody has carried it out.
  if (!all || accountIs !== AccountKind.Contract) return undefined;
  const waits = await proveSafePending(deps, client, account, asked, claim);
  if (waits?.verdict !== 'replaced' || waits.safeNonce === undefined) return waits;
  const since = sinceOf(record, step, await client.blockNumber());
  const points = entryPointsOf(deps, client.chainId);
  const by = await carriedInstead(client, account, points, waits.safeNonce, since);
  return { ...waits, ...(by !== undefined && { by }) };
}

interface Carrier {
  readonly carrier?: Hex;
  readonly kind?: ClaimKind;
  /** The log was read to its end. */
  readonly all: boolean;
}

async function carrierOf(
  { deps, client, marks }: JudgeParts,
  record: OperationRecord,
  step: StepState,
  { value, carrier }: LookedAt['claim'],
  account: Hex,
): Promise<Carrier> {
  if (carrier !== undefined && (await client.getTransactionReceipt(carrier as Hex)))
    return { carrier: carrier as Hex, all: false };
  const key = `${streamKey(record.ref)}/${value}/${account}`;
  const head = await client.blockNumber();
  const from = (marks.of(key).block ?? sinceOf(record, step, head)) + 1;
  const { found, through } = await scanExecutions(
    client,
    account,
    entryPointsOf(deps, client.chainId),
    from,
    head,
  );
  const own = found.find((one) => one.value === value);
  if (own && own.kind !== 'module') return { carrier: own.carrier, kind: own.kind, all: false };
  // The newest blocks may still be exchanged for others.
  marks.set(key, { block: Math.min(through, head - deps.confirmations) });
  return { all: through >= head };
}

/** The block before which nobody can have signed it: that of the ask, else that of the record. */
export function sinceOf({ state }: OperationRecord, step: StepState, head: number): number {
  const asked = state.asks
    .filter(({ steps }) => steps.includes(step.id))
    .map((ask) => ask.head ?? state.head);
  const known = asked.length > 0 ? asked : [state.head];
  const blocks = known.map((block) => block ?? Math.max(0, head - fixedLimits.logBlocks.value));
  return Math.min(...blocks);
}
