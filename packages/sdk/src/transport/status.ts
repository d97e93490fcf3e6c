import { type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { PAYLOAD_TOO_LARGE } from '../error-codes.js';
import { MacpConnectionError, MacpSdkError, MacpTimeoutError, MacpTransportError } from '../errors.js';
import { readDetails } from '../refusal-details.js';
import { connectionMistake, whyUnavailable } from './connection-mistake.js';

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
  if (error instanceof MacpConnectionError || error.macpCode === PAYLOAD_TOO_LARGE) return true;
  return error.code !== undefined && FINAL.has(error.code);
}

/** What is known of a failed call besides what gRPC says. */
export interface Called {
  readonly address: string;
  readonly secure: boolean;
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
}

/** Turns whatever grpc-js throws or emits into this package's errors. */
export function toTransportError(thrown: unknown, called: Called): MacpSdkError {
  if (thrown instanceof MacpSdkError) return thrown;
  if (!isServiceError(thrown)) return new MacpTransportError(String(thrown), undefined, { cause: thrown });
  const { sessionId, messageId } = called;
  const code = status[thrown.code] ?? 'UNKNOWN';
  const text = thrown.details || thrown.message;
  const refusal = refusalIn(thrown.metadata);
  const macpCode = refusal.macpCode ?? (isTooLarge(code, text) ? PAYLOAD_TOO_LARGE : undefined);
  const details = { cause: thrown, sessionId, messageId, ...refusal, macpCode };
  if (thrown.code === status.DEADLINE_EXCEEDED)
    return new MacpTimeoutError(`DEADLINE_EXCEEDED: ${lateText(text, called)}`, details);
  // Only a connection that was never made: a runtime that ends a call says so with a code of its own.
  if (thrown.code === status.UNAVAILABLE && details.macpCode === undefined) {
    const mistake = connectionMistake(text, called);
    if (mistake !== undefined) return new MacpConnectionError(`${code}: ${mistake}`, code, details);
    return new MacpTransportError(`${code}: ${whyUnavailable(text, called) ?? text}`, code, details);
  }
  return new MacpTransportError(`${code}: ${text}`, code, details);
}

/** The limit of a gRPC library, on either side, comes without a code of the protocol. */
function isTooLarge(code: string, text: string): boolean {
  return code === 'RESOURCE_EXHAUSTED' && /larger than max/i.test(text);
}

function lateText(text: string, { address }: Called): string {
  const connected = !/Waiting for LB pick|name resolution/i.test(text);
  return connected ? text : `no answer from ${address} in time: is it the gRPC port of the runtime?`;
}

/** The code and the details that a runtime sends as trailers of a status (macp-2026:2.1 and 2.2). */
function refusalIn(metadata: Metadata | undefined) {
  const [code] = metadata?.get('macp-error-code') ?? [];
  const [bytes] = metadata?.get('macp-error-details-bin') ?? [];
  const [seconds] = metadata?.get('retry-after') ?? [];
  const { reasons, denials, retryAfterMs } = readDetails(Buffer.isBuffer(bytes) ? bytes : new Uint8Array(0));
  const wait = retryAfterMs ?? (seconds === undefined ? undefined : Number(seconds) * 1000);
  return {
    macpCode: code === undefined ? undefined : String(code),
    reasons,
    denials,
    retryAfterMs: Number.isFinite(wait) ? wait : undefined,
  };
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && typeof (thrown as Partial<ServiceError>).code === 'number';
}
