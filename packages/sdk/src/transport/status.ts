import { type ServiceError, status } from '@grpc/grpc-js';
import { MacpSdkError, MacpTimeoutError, MacpTransportError } from '../errors.js';

/** Statuses that will not change by trying again as the same caller with the same request. */
const FINAL: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'INVALID_ARGUMENT',
  'FAILED_PRECONDITION',
  'ALREADY_EXISTS',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
]);

export function isFinal(error: MacpTransportError): boolean {
  return error.code !== undefined && FINAL.has(error.code);
}

/** Turns whatever grpc-js throws or emits into this package's errors. */
export function toTransportError(thrown: unknown): MacpSdkError {
  if (thrown instanceof MacpSdkError) return thrown;
  if (!isServiceError(thrown)) return new MacpTransportError(String(thrown), undefined, { cause: thrown });
  const code = status[thrown.code] ?? 'UNKNOWN';
  const text = thrown.details || thrown.message;
  if (thrown.code === status.DEADLINE_EXCEEDED) return new MacpTimeoutError(text, { cause: thrown });
  return new MacpTransportError(`${code}: ${text}`, code, { cause: thrown });
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && typeof (thrown as Partial<ServiceError>).code === 'number';
}
