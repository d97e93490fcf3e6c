/**
 * Another request of the same agent for the same, as it stands now, for the page of this one: nobody should pay twice
 * without noticing, whichever of the two was made first and whichever was signed since.
 *
 * T1. Twins are found by the index that serves new requests (alike.ts): no history is read, and a page that looks again and again
 *     costs less than a create. The one that was named when this request was made is looked at in any case.
 * T2. The index names what one agent of one tenant asked for, so nothing of anybody else is said.
 */
import { ClaimStanding, Effect, isOver, type JsonObject, type OperationState } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { iso } from '../../platform/iso.js';
import { alike } from './alike.js';
import type { OperationDependencies } from './dependencies.js';
import { type Alike, hasHappenedMore, namesOf, repeatedSteps } from './earlier.js';
import { operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';

interface Twin {
  readonly state: OperationState;
  /** Of what both ask for. */
  readonly effect: Effect;
  /** The steps of this request that the other one asks for, too; absent: all that is left of it. */
  readonly steps?: readonly string[];
}

/** A member of the view of a page, or nothing. */
export async function twinView(deps: OperationDependencies, record: OperationRecord): Promise<JsonObject> {
  const twin = await twinOf(deps, record);
  if (!twin) return {};
  const { id, createdAt, steps } = twin.state;
  const done = steps.flatMap(({ claims }) => claims).find(({ standing }) => standing === ClaimStanding.Done);
  return {
    twin: {
      id,
      createdAt: iso(createdAt),
      effect: twin.effect,
      ...(isDone(twin.effect) && done && { doneAt: iso(done.at) }),
      ...(twin.steps && { stepIds: [...twin.steps] }),
    },
  };
}

/** Of several the one of which most has happened, then the newest. */
async function twinOf(deps: OperationDependencies, { ref, state }: OperationRecord) {
  // Nothing was sent, and nothing can be.
  if (isOver(state) && state.effect === Effect.None) return undefined;
  const wanted = wantedOf(state);
  let most: Twin | undefined;
  for (const id of await idsOf(deps, ref.tenant, state, wanted)) {
    const other = await readRecord(deps, operationRef(ref.tenant, id));
    const twin = other && sameIn(other.state, wanted);
    if (twin && (!most || hasHappenedMore(twin.effect, most.effect))) most = twin;
  }
  return most;
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
  { id, repeats }: OperationState,
  wanted: Alike,
): Promise<readonly string[]> {
  const names = namesOf(wanted);
  const found = names.length === 0 ? [] : await alike(deps, tenant, names, fixedLimits.twinRows.value);
  const ids = [...found.map(({ ref }) => ref.id), ...(repeats ? [repeats.id] : [])];
  return [...new Set(ids)].filter((one) => one !== id);
}

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
