/** How many HTTP requests were refused, by status: most of these have no other trace. */
import { Counter, type Registry } from 'prom-client';

/** A closed set. 401 and 429 are counted by their reasons, too. */
export const REFUSED_STATUSES = [400, 401, 403, 404, 405, 408, 413, 415, 429, 431, 503] as const;

export interface RefusedRequests {
  /** Of every answer; those that refuse nothing do not count. */
  answered(status: number): void;
}

export function createRefusedRequests(registry: Registry): RefusedRequests {
  const counter = new Counter({
    name: 'handover_http_refused_total',
    help: 'HTTP requests that were refused, by status.',
    labelNames: ['status'],
    registers: [registry],
  });
  const known = new Map(REFUSED_STATUSES.map((status) => [status as number, counter.labels({ status })]));
  for (const child of known.values()) child.inc(0);
  return { answered: (status) => known.get(status)?.inc() };
}
