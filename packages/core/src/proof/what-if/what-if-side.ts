/** One of the two histories of a what-if replay: where its session stands, and what resolved it. */
import { sessionDecider } from '../../bound-session/session-decider.js';
import { CoreMessageType } from '../../envelope/envelope.js';
import type { Entry } from '../../log/entry.js';
import type { SessionState } from '../../session/state.js';

interface Resolution {
  readonly payload: Uint8Array;
  readonly historyIndex: number;
  readonly messageId: string;
  readonly messageType: string;
}

/** How one of the two histories ends. */
export interface WhatIfEnd {
  /** Undefined: there is no session. */
  readonly state: SessionState | undefined;
  readonly resolution: Resolution | undefined;
}

export class WhatIfSide implements WhatIfEnd {
  #state: SessionState | undefined;
  #resolution: Resolution | undefined;

  get state(): SessionState | undefined {
    return this.#state;
  }

  get resolution(): Resolution | undefined {
    return this.#resolution;
  }

  take(entry: Entry, historyIndex: number): SessionState {
    const state = sessionDecider.evolve(this.#state, entry);
    this.#state = state;
    const { type: messageType, messageId, payload } = entry;
    if (messageType === CoreMessageType.Commitment)
      this.#resolution = { payload, historyIndex, messageId, messageType };
    return state;
  }
}
