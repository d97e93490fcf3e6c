import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { McpErrorCode } from '../status-table.js';
import type { McpDependencies } from './dependencies.js';
import { type Failure, failurePayload } from './errors.js';
import { createRequestId } from './request-id.js';

/** JSON-RPC's own range for servers: nothing was wrong with the request. */
const SERVER_ERROR = -32_000;

const codeOf = ({ code }: Failure): number =>
  code === McpErrorCode.RATE_LIMITED ? SERVER_ERROR : ProtocolErrorCode.InvalidParams;

/** What is no tool can refuse only with a protocol error, so the error payload is the `data` of that error. */
export function refusal(
  { now }: Pick<McpDependencies, 'now'>,
  failure: Failure,
  code: number = codeOf(failure),
  requestId: string = createRequestId(now()),
): ProtocolError {
  const payload = failurePayload(failure, { now: now(), requestId });
  return new ProtocolError(code, failure.message, payload);
}
