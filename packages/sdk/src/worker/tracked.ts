import type { SessionMetadata } from '../client/types.js';
import { Sighting } from './sighting.js';

/**
 * Where a session is in a worker: with the scout, which looks for an offer; with an offer that waits for its turn, has it,
 * or rests after a failure; or done, when this worker has nothing to do in it any more.
 */
export type Place = 'scouted' | 'queued' | 'deciding' | 'resting' | 'done';

/** What a worker keeps of an open session: ids and numbers. */
export class Tracked {
  readonly sessionId: string;
  readonly policyVersion: string;
  expiresAtUnixMs: number;
  place: Place = 'scouted';
  /** What the scout has seen of it. */
  readonly sighting = new Sighting();
  /** The offer that was found. */
  handoffId = '';
  /** When this process first saw it. */
  seenAt = 0;
  /** How many contexts there were when the offer was left unanswered; new ones ask again. */
  leftAt = -1;
  /** How often it was looked at in vain. */
  looks = 0;
  /** How many turns of its offer have failed in this process. */
  failures = 0;
  /** Fires when the offer is over, while it has its turn. */
  over = new AbortController();
  timer: NodeJS.Timeout | undefined;

  constructor({ sessionId, policyVersion, expiresAtUnixMs }: SessionMetadata) {
    this.sessionId = sessionId;
    this.policyVersion = policyVersion;
    this.expiresAtUnixMs = expiresAtUnixMs;
  }
}
