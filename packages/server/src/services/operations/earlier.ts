/**
 * What a new request has to do with earlier ones: an agent that asks again must not make a person pay twice.
 *
 * E1. `replaces` names a request of which nothing was sent. It is withdrawn in the same commit in which the new one is
 *     made, so that no wallet can be asked for both. Of any other the new one is refused, with its effect.
 * E2. Without it, the same request of the same agent within seven days that was paid, or may have been or may still be, is named
 *     as a warning. Requests for the same are found by an index of the store (`likeOf`), newest first; a bounded number of
 *     them is looked at, and no other record is read.
 * E3. What names a request is made under the pepper: nobody can test guesses against the log.
 */
import { createHmac } from 'node:crypto';
import {
  canonicalJson,
  type EarlierRecord,
  Effect,
  type Family,
  familyOfId,
  isOver,
  type Json,
  likeOf,
  OperationStatus,
  operationNotFound,
  type RepeatedRecord,
  replaceFlaw,
  StreamKind,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { mapOutcome, type Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { type Found, findForAgent } from './find.js';
import { readRecord } from './record.js';

export interface Earlier {
  readonly likeness?: string;
  readonly replaces?: EarlierRecord;
  readonly repeats?: RepeatedRecord;
  /** To be withdrawn together with the new one. */
  readonly withdrawn?: Found;
}

interface Wanted {
  readonly chainId: number;
  readonly asked?: Json;
  readonly replaces?: string;
}

export async function findEarlier(
  deps: OperationDependencies,
  principal: Principal,
  family: Family,
  { chainId, asked, replaces }: Wanted,
): Promise<Outcome<Earlier>> {
  const likeness = asked === undefined ? undefined : likenessOf(deps, principal, [family, chainId, asked]);
  const like = likeness === undefined ? {} : { likeness };
  if (replaces !== undefined)
    return mapOutcome(await replaced(deps, principal, replaces), (earlier) => ({ ...like, ...earlier }));
  const repeats = likeness === undefined ? undefined : await repeated(deps, principal, likeness);
  return { value: { ...like, ...(repeats && { repeats }) } };
}

/** Refused with the whole submission if a wallet was asked in the meantime. */
export const withdrawal = ({ record, by }: Found, replacedBy: string) => ({
  stream: record.ref,
  command: { kind: 'close', by, replacedBy } as const,
});

async function replaced(
  deps: OperationDependencies,
  principal: Principal,
  id: string,
): Promise<Outcome<Earlier>> {
  const family = familyOfId(id);
  const found = family && (await findForAgent(deps, principal, id, family));
  if (!found) return { rejection: operationNotFound() };
  const { state } = found.record;
  const flaw = replaceFlaw(state);
  if (flaw) return { rejection: flaw };
  return { value: { replaces: { id, at: state.createdAt }, withdrawn: found } };
}

/** Of these it is known without reading them that nothing was sent. */
const SENT_NOTHING: ReadonlySet<string> = new Set([OperationStatus.Cancelled, OperationStatus.Expired]);

async function repeated(
  deps: OperationDependencies,
  { tenant }: Principal,
  likeness: string,
): Promise<RepeatedRecord | undefined> {
  const listed = await deps.engine.list({
    tenant,
    kind: StreamKind.Operation,
    ...likeOf(likeness),
    newestFirst: { idPrefix: '' },
    limit: fixedLimits.likeOperations.value,
  });
  const since = deps.now() - fixedLimits.likeOperationsMs.value;
  for (const { ref, row } of listed) {
    if (row.createdAt < since || SENT_NOTHING.has(row.state)) continue;
    const record = await readRecord(deps, ref);
    if (!record) continue;
    const { effect } = record.state;
    // Nothing was sent, but it can still be signed: then both would be paid.
    if (effect !== Effect.None || !isOver(record.state)) return { id: ref.id, at: row.createdAt, effect };
  }
  return undefined;
}

/** Names what is asked of a chain, for one agent. */
const likenessOf = (
  { pepper }: Pick<OperationDependencies, 'pepper'>,
  { tenant, agent }: Principal,
  asked: Json,
): string => named(pepper, ['handover/likeness', tenant, agent, asked]);

/** Names a whole request, so that a retry under the same key is told from another request. */
export const requestName = ({ pepper }: Pick<OperationDependencies, 'pepper'>, args: Json): string =>
  named(pepper, ['handover/request-arguments', args]);

const named = (pepper: Uint8Array, what: Json): string =>
  createHmac('sha256', pepper).update(canonicalJson(what)).digest('hex');
