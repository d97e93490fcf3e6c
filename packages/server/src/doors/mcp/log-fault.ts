import { HandoverError } from '@handover/core';
import type { Log, LogFields } from '../../observe/log.js';
import { type Failure, faultFailure } from './errors.js';

/** Writes the whole error to the log, under the request id that the caller gets, and returns what the caller may see. */
export function logFault(
  log: Log,
  about: LogFields & { readonly requestId: string },
  thrown: unknown,
): Failure {
  const { code, shortMessage: message, cause } = HandoverError.from(thrown);
  log.error('mcp.fault', { ...about, code, message, ...(cause ? { error: cause } : {}) });
  return faultFailure(thrown);
}
