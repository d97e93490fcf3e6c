import type { Log } from '../../observe/log.js';
import { type Authenticated, judged } from '../../services/authenticate.js';
import type { MacpServices } from '../../services/macp/macp-services.js';
import type { Callers } from './callers.js';
import type { ConnectionStreams } from './connection-streams.js';
import type { Caller } from './credentials.js';
import type { LiveCalls } from './live-calls.js';
import { originOf } from './origin.js';
import type { RequestDeadlines } from './request-deadlines.js';

/** What the methods need: the services, and the door's own bookkeeping. */
export interface DoorContext extends MacpServices {
  readonly log: Log;
  readonly callers: Callers;
  readonly live: LiveCalls;
  readonly connections: ConnectionStreams;
  readonly deadlines: RequestDeadlines;
}

export async function authenticateCall({ deps, callers }: DoorContext, call: Caller): Promise<Authenticated> {
  return judged(deps, await callers.authentication(call), originOf(call));
}
