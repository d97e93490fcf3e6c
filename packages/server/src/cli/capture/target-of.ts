import { requireUnixSockets } from '../unix-sockets.js';
import type { CaptureTarget } from './capture-target.js';
import { logHook } from './hooks-log.js';
import { localTarget } from './local-target.js';
import { remoteTarget } from './remote-target.js';
import type { SpooledEvent } from './spool.js';

/** Where an event of the spool belongs. */
export function targetOf(dataFolder: string, event: SpooledEvent): CaptureTarget {
  const { client, server, token, agent } = event;
  if (server === undefined) {
    requireUnixSockets();
    return localTarget(dataFolder, agent ?? client);
  }
  const place = { server, ...(token !== undefined && { token }), ...(agent !== undefined && { agent }) };
  return remoteTarget(place, (what) => logHook(dataFolder, `${event.event} of ${client}: ${what}`));
}
