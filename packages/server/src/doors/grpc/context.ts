import type { Log } from '../../observe/log.js';
import { authenticate } from '../../services/authenticate.js';
import type { MacpServices } from '../../services/macp/macp-services.js';
import type { ConnectionStreams } from './connection-streams.js';
import type { Caller, Identify } from './credentials.js';
import type { LiveCalls } from './live-calls.js';
import type { RequestDeadlines } from './request-deadlines.js';

/** The name of this door in audit lines. */
export const DOOR = 'grpc';

/** What the methods need: the services, and the door's own bookkeeping. */
export interface DoorContext extends MacpServices {
  readonly log: Log;
  readonly identify: Identify;
  readonly live: LiveCalls;
  readonly connections: ConnectionStreams;
  readonly deadlines: RequestDeadlines;
}

export function authenticateCall({ deps, identify }: DoorContext, call: Caller) {
  return authenticate(deps, identify(call), DOOR);
}
