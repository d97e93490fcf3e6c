import type { Log } from '../../observe/log.js';
import { authenticate } from '../../services/authenticate.js';
import type { RuntimeParts } from '../../services/dependencies.js';
import type { Registries } from '../../services/macp/registries.js';
import type { SendPipeline } from '../../services/macp/send.js';
import type { Sessions } from '../../services/macp/sessions.js';
import type { Caller, Identify } from './credentials.js';
import type { LiveCalls } from './live-calls.js';
import type { RequestDeadlines } from './request-deadlines.js';

/** The name of this door in audit lines. */
export const DOOR = 'grpc';

/** What the methods need: the runtime, and the door's own bookkeeping. */
export interface DoorContext {
  readonly parts: RuntimeParts;
  readonly send: SendPipeline;
  readonly sessions: Sessions;
  readonly registries: Registries;
  readonly log: Log;
  readonly identify: Identify;
  readonly live: LiveCalls;
  readonly deadlines: RequestDeadlines;
}

export function authenticateCall({ parts, identify }: DoorContext, call: Caller) {
  return authenticate(parts, identify(call), DOOR);
}
