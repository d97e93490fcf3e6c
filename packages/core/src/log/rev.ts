/**
 * `rev` on the first entry of a stream says by which rules it was written; without it, by the first ones. A change of
 * rules gives new streams a higher number, and the old rules stay for replay, so that `verify` can decide every entry
 * again as it was decided then.
 */
import { FaultCode, HandoverError } from '../fault.js';
import type { EntryHead } from './entry.js';

type Evolve<State> = (state: State | undefined, entry: EntryHead) => State;

/** Refuses a stream that was begun under rules of which this version knows nothing. */
export function knowsRules<State>(newest: number, evolve: Evolve<State>): Evolve<State> {
  return (state, entry) => {
    if (state === undefined && revOf(entry) > newest) throw unknownRules(entry, newest);
    return evolve(state, entry);
  };
}

function revOf({ facts }: EntryHead): number {
  const { rev = 1 } = facts;
  return Number.isSafeInteger(rev) ? Number(rev) : Number.POSITIVE_INFINITY;
}

const unknownRules = ({ stream, facts }: EntryHead, newest: number): HandoverError =>
  new HandoverError(
    FaultCode.DATA_LOSS,
    `${stream.kind} ${stream.id} was begun under rules ${JSON.stringify(facts.rev)}; this version knows up to ${newest}`,
  );
