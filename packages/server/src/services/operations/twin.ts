/**
 * Another request of the same agent for the same, as it stands now, for the page and the agent of this one: nobody should pay
 * twice without noticing, whichever of the two was made first and whichever was signed since.
 *
 * T1. Twins are found by the index that serves new requests (alike.ts): no history is read, and a page that looks again and again
 *     costs less than a create. The one that was named when this request was made, and those that it replaced or that
 *     replaced it, are looked at in any case.
 * T2. The index names what one agent of one tenant asked for, so nothing of anybody else is said.
 */
import { ClaimStanding, Effect, isOver, type JsonObject, type OperationState } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { iso } from '../../platform/iso.js';
import { alike, hasHappenedMore } from './alike.js';
import type { OperationDependencies } from './dependencies.js';
import { type Alike, namesOf, repeatedSteps } from './earlier.js';
import { operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';
import { sameWords } from './same-words.js';

const BOTH = ', and so was this one: it was paid twice. Tell the person';

interface Twin {
  readonly state: OperationState;
  /** Of what both ask for. */
  readonly effect: Effect;
  /** The steps of this request that the other one asks for, too; absent: all that is left of it. */
  readonly steps?: readonly string[];
}

/** A member of the view of a page or of an agent, or nothing. */
export async function twinView(deps: OperationDependencies, record: OperationRecord): Promise<JsonObject> {
  const twin = await twinOf(deps, record);
  if (!twin) return {};
  const { id, createdAt, steps } = twin.state;
  const both = isDone(twin.effect) && isDone(record.state.effect);
  const done = steps.flatMap(({ claims }) => claims).find(({ standing }) => standing === ClaimStanding.Done);
  return {
    twin: {
      id,
      createdAt: iso(createdAt),
      effect: twin.effect,
      ...(isDone(twin.effect) && done && { doneAt: iso(done.at) }),
      ...(twin.steps && { stepIds: [...twin.steps] }),
      ...(twin.others > 0 && { others: twin.others }),
      message: `another request for the same ${sameWords(twin.effect)}${both ? BOTH : ''}`,
    },
  };
}

/** Of several the one of which most has happened, then the newest. */
async function twinOf(
  deps: OperationDependencies,
  { ref, state }: OperationRecord,
): Promise<(Twin & { readonly others: number }) | undefined> {
  // Nothing was sent, and nothing can be.
  if (isOver(state) && state.effect === Effect.None) return undefined;
  const wanted = wantedOf(state);
  const { ids, all } = await idsOf(deps, ref.tenant, state, wanted);
  let most: Twin | undefined;
  for (const id of ids) {
    const other = await readRecord(deps, operationRef(ref.tenant, id));
    const twin = other && sameIn(other.state, wanted);
    if (twin && (!most || hasHappenedMore(twin.effect, most.effect))) most = twin;
  }
  if (!most) return undefined;
  const named = most.state.id;
  return { ...most, others: [...all].filter((id) => id !== named && id !== state.id).length };
}

/** What is left to be signed; of a request of which nothing is left, all of it. */
function wantedOf({ likeness, steps }: OperationState): Alike {
  const left = steps.filter(({ effect }) => !isDone(effect));
  const like = left.length > 0 ? left : steps;
  return { steps: like, ...(likeness !== undefined && { likeness }) };
}

async function idsOf(
  deps: OperationDependencies,
  tenant: string,
  { id, repeats, replaces, closing }: OperationState,
  wanted: Alike,
): Promise<{ readonly ids: readonly string[]; readonly all: ReadonlySet<string> }> {
  const names = namesOf(wanted);
  const found = names.length === 0 ? NONE : await alike(deps, tenant, names, fixedLimits.twinRows.value);
  const known = [repeats?.id, replaces?.id, closing?.replacedBy].filter((one) => one !== undefined);
  const ids = new Set([...found.rows.map(({ ref }) => ref.id), ...known]);
  return { ids: [...ids].filter((one) => one !== id), all: found.ids };
}

const NONE = { rows: [], ids: new Set<string>() };

function sameIn(state: OperationState, wanted: Alike): Twin | undefined {
  const again = repeatedSteps(state, wanted);
  if (!again) return undefined;
  if (wanted.likeness !== undefined) return { state, effect: state.effect };
  const names = new Set(wanted.steps.map(({ like }) => like));
  const effects = state.steps.filter(({ like }) => names.has(like)).map(({ effect }) => effect);
  const effect = effects.reduce((most, one) => (hasHappenedMore(one, most) ? one : most), Effect.None);
  return { state, effect, ...again };
}

const isDone = (effect: Effect): boolean => effect === Effect.Done || effect === Effect.Exceeded;
