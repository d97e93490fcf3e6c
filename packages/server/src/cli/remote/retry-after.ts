import type { IncomingMessage } from 'node:http';

/** A server that says 0 would be asked without a pause, and without an end. */
const LEAST_MS = 1_000;

/** How long the server asks to wait, and a second at least; undefined when it does not say so in whole seconds. */
export function retryAfterMs({ headers }: IncomingMessage): number | undefined {
  const seconds = headers['retry-after'] ?? '';
  return /^[0-9]{1,6}$/.test(seconds) ? Math.max(LEAST_MS, Number(seconds) * 1_000) : undefined;
}
