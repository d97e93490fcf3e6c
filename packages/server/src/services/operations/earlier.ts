/**
 * What a new request has to do with earlier ones: an agent that asks again must not make a person pay twice.
 *
 * E1. `replaces` names a request of which nothing was sent. It is withdrawn in the same commit in which the new one is
 *     made, so that no wallet can be asked for both. Of any other the new one is refused, with its effect.
 * E2. Any other request of the same agent within seven days is named as a warning if it, or a step of it, asked for the same
 *     and was paid, or may have been or may still be, or was declined: of several the one of which most has happened, then
 *     the newest, and how many others there are. Such requests are found by an index of the store (alike.ts); a bounded
 *     number of them is looked at, and no other record is read.
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
  type NewStep,
  type OperationState,
  operationNotFound,
  type RepeatedRecord,
  replaceFlaw,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { alike, hasHappenedMore } from './alike.js';
import type { OperationDependencies } from './dependencies.js';
import { type Found, findForAgent } from './find.js';
import { readRecord } from './record.js';

export interface Earlier {
  readonly steps: readonly NewStep[];
  readonly likeness?: string;
  readonly replaces?: EarlierRecord;
  readonly repeats?: RepeatedRecord;
  /** How many more than that one were paid, or may have been or may still be. */
  readonly others?: number;
  /** To be withdrawn together with the new one. */
  readonly withdrawn?: Found;
}

/** A step and what it asks of the chain, whatever is said about it; absent: nothing. */
export interface WantedStep extends Omit<NewStep, 'like'> {
  readonly asked?: Json;
}

interface Wanted {
  readonly chainId: number;
  readonly steps: readonly WantedStep[];
  /** What is asked as a whole, where steps do not count for themselves. */
  readonly asked?: Json;
  readonly replaces?: string;
}

export async function findEarlier(
  deps: OperationDependencies,
  principal: Principal,
  family: Family,
  { chainId, steps: wanted, asked, replaces }: Wanted,
): Promise<Outcome<Earlier>> {
  const likeOfAsked = (what: Json | undefined) =>
    what === undefined ? undefined : likenessOf(deps, principal, [family, chainId, what]);
  const likeness = likeOfAsked(asked);
  const steps = wanted.map(({ asked: own, ...step }) => {
    const like = likeOfAsked(own);
    return { ...step, ...(like !== undefined && { like }) };
  });
  const like = { steps, ...(likeness !== undefined && { likeness }) };
  const earlier = replaces === undefined ? { value: {} } : await replaced(deps, principal, replaces);
  if ('rejection' in earlier) return earlier;
  const repeats = await repeated(deps, principal, like, replaces);
  return { value: { ...like, ...earlier.value, ...repeats } };
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
): Promise<Outcome<Pick<Earlier, 'replaces' | 'withdrawn'>>> {
  const family = familyOfId(id);
  const found = family && (await findForAgent(deps, principal, id, family));
  if (!found) return { rejection: operationNotFound() };
  const { state } = found.record;
  const flaw = replaceFlaw(state);
  if (flaw) return { rejection: flaw };
  return { value: { replaces: { id, at: state.createdAt }, withdrawn: found } };
}

export interface Alike {
  readonly steps: readonly Pick<NewStep, 'id' | 'like'>[];
  readonly likeness?: string;
}

async function repeated(
  deps: OperationDependencies,
  principal: Principal,
  wanted: Alike,
  replaces: string | undefined,
): Promise<Pick<Earlier, 'repeats' | 'others'>> {
  const { rows, ids } = await alike(deps, principal.tenant, namesOf(wanted));
  let worst: RepeatedRecord | undefined;
  for (const { ref, row, declined } of rows) {
    const record = ref.id === replaces ? undefined : await readRecord(deps, ref);
    const again = record && repeatedSteps(record.state, wanted, declined);
    if (!again || (worst && !hasHappenedMore(record.state.effect, worst.effect))) continue;
    worst = { id: ref.id, at: row.createdAt, effect: record.state.effect, ...again };
  }
  if (!worst) return {};
  const others = [...ids].filter((id) => id !== worst.id && id !== replaces).length;
  return { repeats: worst, ...(others > 0 && { others }) };
}

export const namesOf = ({ likeness, steps }: Alike): readonly string[] => [
  ...new Set([likeness, ...steps.map(({ like }) => like)].filter((name) => name !== undefined)),
];

/** What of a request was, or may have been or may still be paid in another one; undefined: nothing of it. */
export function repeatedSteps(
  state: OperationState,
  { likeness, steps }: Alike,
  /** It counts although it is over and nothing was sent: the person did not want it. */
  declined = false,
): Pick<RepeatedRecord, 'steps'> | undefined {
  // Nothing was sent, but it can still be signed: then both would be paid.
  const counts = (effect: Effect) => effect !== Effect.None || declined || !isOver(state);
  if (likeness !== undefined) return counts(state.effect) ? {} : undefined;
  const names = new Set(state.steps.filter(({ effect }) => counts(effect)).map(({ like }) => like));
  const again = steps.filter(({ like }) => like !== undefined && names.has(like)).map(({ id }) => id);
  if (again.length === 0) return undefined;
  return again.length === steps.length ? {} : { steps: again };
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
