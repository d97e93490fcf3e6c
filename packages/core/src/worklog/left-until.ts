/** Until when the targets of offers could have the work: what its owner said beside each, also when the offer is over. */
import type { Parked } from './parked.js';
import type { LeftUntil, PendingHandoff, WorklogState } from './state.js';

/** Of the newest offers; of older ones nobody asks. */
const MOST_KEPT = 50;

/** The instruction comes before the offer or after it, in the same submission. */
export function withLeftUntil(
  { leftUntil }: WorklogState,
  { takers, requestType, until }: Pick<Parked, 'takers' | 'requestType' | 'until'>,
  offers: readonly PendingHandoff[],
): readonly LeftUntil[] {
  const meant = offers.filter((one) => one.target === takers[0] && one.requestType === requestType);
  const ids = new Set(meant.map(({ sessionId }) => sessionId));
  const others = leftUntil.filter(({ sessionId }) => !ids.has(sessionId));
  return [...others, ...[...ids].map((sessionId) => ({ sessionId, until }))].slice(-MOST_KEPT);
}
