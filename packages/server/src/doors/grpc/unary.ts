/**
 * Unary calls: decode, authenticate where needed, ask the RPC, answer. Whatever is not an answer is a status, and
 * anything that is thrown is a fault.
 */
import type { handleUnaryCall, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { HandoverError } from '@handover/core';
import { decodeMessage } from '@handover/wire';
import type { Rpc } from '../../services/macp/rpc/rpc.js';
import { authenticateCall, type DoorContext } from './context.js';
import {
  ackTrailers,
  invalidRequest,
  MALFORMED,
  MAX_REQUEST_BYTES,
  REQUEST_TOO_LARGE,
  statusOfFault,
  statusOfRejection,
  TOOK_TOO_LONG,
} from './errors.js';

export type UnaryHandler = handleUnaryCall<Uint8Array, Uint8Array>;
type Reply = Parameters<sendUnaryData<Uint8Array>>;

export function unaryMethod(context: DoorContext, rpc: Rpc): UnaryHandler {
  const { deadlines, log } = context;
  return (call, callback) => {
    const request = deadlines.begin(() => callback(TOOK_TOO_LONG));
    replyOf(context, rpc, call).then(
      (reply) => {
        if (deadlines.end(request)) callback(...reply);
      },
      (thrown: unknown) => {
        // The log gets the cause of a fault; the caller does not.
        logFault(log, thrown);
        if (deadlines.end(request)) callback(statusOfFault(thrown));
      },
    );
  };
}

async function replyOf(
  context: DoorContext,
  rpc: Rpc,
  call: ServerUnaryCall<Uint8Array, Uint8Array>,
): Promise<Reply> {
  const closed = rpc.closed?.();
  if (closed) return [statusOfRejection(closed)];
  if (call.request.length > MAX_REQUEST_BYTES) return [REQUEST_TOO_LARGE];
  const request = decodeMessage(rpc.input, call.request);
  if (request === undefined) return [MALFORMED];
  const known = rpc.open ? undefined : await authenticateCall(context, call);
  if (known && 'rejection' in known) return [statusOfRejection(known.rejection)];
  const parts: Uint8Array[] = [];
  const answer = await rpc.answer(known?.value, request, (part) => parts.push(part));
  if ('malformed' in answer) return [invalidRequest(answer.malformed)];
  if ('rejection' in answer) return [statusOfRejection(answer.rejection)];
  const { bytes, ack } = answer;
  // Parts of a message that stand one after another are one.
  return [null, parts.length === 0 ? bytes : Buffer.concat([bytes, ...parts]), ack && ackTrailers(ack)];
}

/** Does not log a fault that is marked `retryable`: the caller simply tries again, and operators need not know. */
export function logFault(log: DoorContext['log'], thrown: unknown): void {
  const { code, shortMessage, cause, next } = HandoverError.from(thrown);
  if (next === 'retryable') return;
  log.error('grpc.fault', { code, message: shortMessage, cause: String(cause ?? '') });
}
