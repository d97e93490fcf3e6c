/** Notes on work that the agent has are no things of their own: the work is what there is to go on with, and has news. */
import { WorklogStatus } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { HandoffDependencies } from '../dependencies.js';
import { worklogRef } from '../worklogs.js';
import type { Candidate } from './types.js';

export async function withNotes(
  { engine }: Pick<HandoffDependencies, 'engine'>,
  { tenant, agent }: Principal,
  here: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const found = new Map(
    here.filter(({ about }) => about === undefined).map((one) => [`${one.kind} ${keyOf(one)}`, one]),
  );
  for (const note of here) {
    const { about, kind, at } = note;
    if (about === undefined) continue;
    const state = (await engine.query(worklogRef(tenant, about)))?.state;
    if (state?.owner !== agent || state.status !== WorklogStatus.Active) {
      found.set(`${kind} ${keyOf(note)}`, note);
      continue;
    }
    // What was received stands in it already.
    if (kind === 'received') continue;
    const place = `own ${about}`;
    const own = found.get(place) ?? { kind: 'own' as const, sessionKey: about, by: agent, at };
    found.set(place, { ...own, at: Math.max(own.at, at), notes: [note, ...(own.notes ?? [])] });
  }
  return [...found.values()];
}

const keyOf = ({ handoffId, sessionKey }: Candidate): string => handoffId ?? sessionKey;
