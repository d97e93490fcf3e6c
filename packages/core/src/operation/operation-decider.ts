/**
 * The decider of operations: what an agent asked for, what wallets were asked and gave, and what the chain shows.
 *
 * Records of 0.1.0 are folded by the rules of their time (rev1). The first entry that is added to one of them raises it.
 */

import { accepted, type Decision, type Stamp } from '../decider.js';
import { isFields } from '../fields.js';
import { type EntryHead, StreamKind } from '../log/entry.js';
import { knowsRules } from '../log/rev.js';
import { runtimeDraft } from '../log/runtime-draft.js';
import type { DeciderOf } from '../streams.js';
import type { OperationCommand } from './command.js';
import { decideOperation } from './decide.js';
import { operationDraft, withOutcome } from './draft.js';
import { operationDue, operationTick } from './due.js';
import { OperationEntryType } from './entry-type.js';
import { evolveOperation } from './evolve.js';
import { raised } from './raise.js';
import { evolveRev1 } from './rev1/evolve.js';
import type { OperationState as Rev1State } from './rev1/state.js';
import { isOver, type OperationState } from './state.js';
import { Effect } from './words.js';

/** As it is folded: a record of 0.1.0 stays what it is until something is added to it. */
export type StoredOperation = OperationState | (Rev1State & { readonly rev: 1 });

/** As it is read. */
export const presentOperation = (stored: StoredOperation): OperationState =>
  stored.rev === 2 ? stored : raised(stored);

export const operationDecider: DeciderOf<'operation'> = {
  kind: StreamKind.Operation,
  decide,
  evolve: knowsRules(2, evolve),
  due: (stored) => operationDue(presentOperation(stored)),
  tick(stored) {
    const state = presentOperation(stored);
    const draft = operationTick(state);
    const at = draft.at ?? state.updatedAt;
    return stored.rev === 2
      ? withOutcome(stored, draft, at)
      : { ...runtimeDraft(OperationEntryType.RulesRaised, state.seq + 1, at), facts: { rev: 2 } };
  },
  listingChanged(before, after) {
    if (!before) return true;
    const [old, now] = [presentOperation(before), presentOperation(after)];
    return (
      old.status !== now.status ||
      old.closed !== now.closed ||
      old.effect !== now.effect ||
      operationDue(old) !== operationDue(now)
    );
  },
  listing(stored) {
    const state = presentOperation(stored);
    const { closed, status, effect, createdAt, family, chainId, expiresAt } = state;
    const over = isOver(state);
    const declined = over && effect === Effect.None && state.closing?.by === 'holder';
    const summary = { family, chainId, expiresAt, effect, over, ...(declined && { declined }) };
    return { state: closed ? 'closed' : status, createdAt, summary };
  },
  involved: (_state, { type, actor, facts }) =>
    type === OperationEntryType.Created ? [{ agent: actor, role: 'creator' }, ...alike(facts)] : [],
};

/**
 * Requests for the same are found as those of an agent are: by an index that the store writes with the entry, so that
 * nothing has to be read or kept in memory for it. No agent has a name that begins with `_`.
 */
function alike({ likeness, steps }: EntryHead['facts']): readonly ReturnType<typeof likeOf>[] {
  const ofSteps = (Array.isArray(steps) ? steps : []).map((step) => (isFields(step) ? step.like : undefined));
  const names = new Set([likeness, ...ofSteps].filter((name) => typeof name === 'string'));
  return [...names].map(likeOf);
}

export const likeOf = (likeness: string) => ({ agent: `_like/${likeness}`, role: 'like' });

function decide(stored: StoredOperation | undefined, command: OperationCommand, stamp: Stamp): Decision {
  if (stored === undefined || stored.rev === 2) return decideOperation(stored, command, stamp);
  const state = raised(stored);
  const raise = operationDraft(OperationEntryType.RulesRaised, stamp, { rev: 2 });
  if (command.kind === 'raise') return accepted(raise);
  const next = { ...stamp, seq: stamp.seq + 1 };
  const decision = decideOperation({ ...state, seq: stamp.seq }, command, next);
  const adds = decision.kind === 'accepted' && decision.drafts.length > 0;
  return adds ? { ...decision, drafts: [raise, ...decision.drafts] } : decision;
}

function evolve(stored: StoredOperation | undefined, entry: EntryHead): StoredOperation {
  if (stored === undefined)
    return entry.facts.rev === undefined ? rev1(undefined, entry) : evolveOperation(undefined, entry);
  if (stored.rev === 2) return evolveOperation(stored, entry);
  return entry.type === OperationEntryType.RulesRaised
    ? { ...raised(stored), seq: entry.seq, updatedAt: entry.at }
    : rev1(stored, entry);
}

const rev1 = (stored: Rev1State | undefined, entry: EntryHead) => ({
  ...evolveRev1(stored, entry),
  rev: 1 as const,
});
