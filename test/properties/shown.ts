import { type Entry, type SessionState, sessionDecider, sessionMetadata } from '@handover/core';

/** Everything a view can show of a state, as one comparable text. */
export function shown(state: SessionState | undefined): string {
  if (!state) return 'none';
  const { suspendedAt, suspendedTotalMs, seq } = state;
  return JSON.stringify([sessionMetadata(state), state.run.view(), suspendedAt, suspendedTotalMs, seq]);
}

export const fold = (entries: readonly Entry[]): SessionState | undefined =>
  entries.reduce<SessionState | undefined>((state, entry) => sessionDecider.evolve(state, entry), undefined);
