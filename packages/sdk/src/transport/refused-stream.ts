/** A server lets an identity listen to so many streams: what is refused beyond that is tried again, and told once a minute. */
import { RATE_LIMITED } from '../error-codes.js';
import type { MacpTransportError } from '../errors.js';
import { log } from '../logging.js';

const TOLD_EVERY_MS = 60_000;
let toldAt = Number.NEGATIVE_INFINITY;

export function isRefusedStream({ macpCode }: MacpTransportError): boolean {
  return macpCode === RATE_LIMITED;
}

export function tellOfCut(what: string, error: MacpTransportError): void {
  const line = `${what} was cut (${error.message}); connecting again`;
  const isNews = isRefusedStream(error) && performance.now() - toldAt >= TOLD_EVERY_MS;
  if (isNews) toldAt = performance.now();
  log[isNews ? 'warn' : 'info'](line);
}
