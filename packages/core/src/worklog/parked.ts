/** The standing instruction: the owner left the work for an agent, or for whoever comes next, until a time. */
import type { WorklogState } from './state.js';

/** Whoever comes next. */
export const ANYONE = '*';

/** One agent, or anyone. */
export type Takers = readonly [] | readonly [string];

export const ParkedBy = { Owner: 'owner', Hook: 'hook' } as const;
export type ParkedBy = (typeof ParkedBy)[keyof typeof ParkedBy];

/** What a hook reports when a conversation ends as conversations do. */
export const SESSION_END = 'SessionEnd';

export interface Parked {
  /** The entry that says it. */
  readonly seq: number;
  readonly at: number;
  readonly takers: readonly [string];
  readonly requestType: string;
  readonly until: number;
  readonly by: ParkedBy;
  readonly event?: string;
}

/** The instruction that holds at this time. Nothing is recorded when its time is over: it just holds no longer. */
export function liveInstruction({ parked }: WorklogState, at: number): Parked | undefined {
  return parked && at <= parked.until ? parked : undefined;
}

export function mayPickUp({ takers: [taker] }: Parked, agent: string): boolean {
  return taker === ANYONE || taker === agent;
}

export function unparked(state: WorklogState): WorklogState {
  const { parked: _over, ...rest } = state;
  return rest;
}
