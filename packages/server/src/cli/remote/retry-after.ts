import type { IncomingMessage } from 'node:http';

/** How long the server asks to wait; undefined when it does not say so in whole seconds. */
export function retryAfterMs({ headers }: IncomingMessage): number | undefined {
  const seconds = headers['retry-after'] ?? '';
  return /^[0-9]{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
