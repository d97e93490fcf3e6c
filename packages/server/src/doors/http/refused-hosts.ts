/**
 * What is said about requests by a wrong Host or from a wrong Origin. The client is often a person or a probe that nobody
 * told of the setting, so the operator has to see it; at most one line a minute of each.
 */
import type { Log } from '../../observe/log.js';
import { minuteLine } from './minute-line.js';

const MAX_SHOWN = 100;

export interface RefusedHosts {
  host(name: string | undefined): void;
  origin(name: string | undefined): void;
}

export function createRefusedHosts(log: Log): RefusedHosts {
  const host = minuteLine((refused, name: string | undefined) =>
    log.warn('http.host_refused', {
      host: name?.slice(0, MAX_SHOWN),
      refused,
      message: 'if clients should reach the server by this name, add it to HANDOVER_ALLOWED_HOSTS',
    }),
  );
  const origin = minuteLine((refused, name: string | undefined) =>
    log.warn('http.origin_refused', {
      origin: name?.slice(0, MAX_SHOWN),
      refused,
      message: 'if pages of this origin should call the server, add it to HANDOVER_ALLOWED_ORIGINS',
    }),
  );
  return { host, origin };
}
