import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpDependencies } from './dependencies.js';
import { type Failure, failurePayload } from './errors.js';
import { createRequestId } from './request-id.js';

/** What is no tool can refuse only with a protocol error, so the error payload is the `data` of that error. */
export function refusal(
  { now }: Pick<McpDependencies, 'now'>,
  failure: Failure,
  code: ProtocolErrorCode = ProtocolErrorCode.InvalidParams,
  requestId: string = createRequestId(now()),
): ProtocolError {
  const payload = failurePayload(failure, { now: now(), requestId });
  return new ProtocolError(code, failure.message, payload);
}
