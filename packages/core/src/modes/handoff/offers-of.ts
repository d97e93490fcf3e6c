import type { SessionState } from '../../session/state.js';
import { handoffMode } from './handoff-mode.js';
import { type HandoffState, NO_OFFERS } from './state.js';

/** Only Handoff Mode has offers. */
export function offersOf(session: SessionState | undefined): HandoffState {
  return session?.run.stateOf(handoffMode) ?? NO_OFFERS;
}
