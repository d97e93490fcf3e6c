/**
 * Unary calls: decode, authenticate where needed, call the service, answer. A handler returns the bytes of the
 * response, perhaps with trailers, or the status with which the call is refused. Anything that it throws is a fault.
 */
import type { handleUnaryCall, Metadata, sendUnaryData } from '@grpc/grpc-js';
import { HandoverError } from '@handover/core';
import { type DescMessage, decodeMessage, type MessageShape } from '@handover/wire';
import type { Principal } from '../../auth/principal.js';
import { authenticateCall, type DoorContext } from './context.js';
import {
  MALFORMED,
  MAX_REQUEST_BYTES,
  REQUEST_TOO_LARGE,
  type Status,
  statusOfFault,
  statusOfRejection,
  TOOK_TOO_LONG,
} from './errors.js';

/** An answer with trailers. */
export interface Trailed {
  readonly bytes: Uint8Array;
  readonly trailers: Metadata | undefined;
}

export type Reply = Uint8Array | Trailed | Status;
export type UnaryHandler = handleUnaryCall<Uint8Array, Uint8Array>;
type Answer<D extends DescMessage> = (request: MessageShape<D>) => Reply | Promise<Reply>;

/** For RPCs that ask for no credentials. */
export function openCall<D extends DescMessage>(
  context: DoorContext,
  input: D,
  answer: Answer<D>,
): UnaryHandler {
  return (call, callback) => reply(context, callback, () => decoded(input, call.request, answer));
}

/** For RPCs whose caller must be known: the request is decoded and the caller authenticated before `answer` runs. */
export function authenticatedCall<D extends DescMessage>(
  context: DoorContext,
  input: D,
  answer: (principal: Principal, request: MessageShape<D>) => Reply | Promise<Reply>,
): UnaryHandler {
  return (call, callback) =>
    reply(context, callback, () =>
      decoded(input, call.request, async (request) => {
        const known = await authenticateCall(context, call);
        return 'rejection' in known ? statusOfRejection(known.rejection) : answer(known.value, request);
      }),
    );
}

function decoded<D extends DescMessage>(input: D, bytes: Uint8Array, answer: Answer<D>) {
  if (bytes.length > MAX_REQUEST_BYTES) return REQUEST_TOO_LARGE;
  const request = decodeMessage(input, bytes);
  return request === undefined ? MALFORMED : answer(request);
}

export function reply(
  { deadlines, log }: DoorContext,
  callback: sendUnaryData<Uint8Array>,
  answer: () => Reply | Promise<Reply>,
): void {
  const request = deadlines.begin(() => callback(TOOK_TOO_LONG));
  const send = (result: Reply) => {
    if (!deadlines.end(request)) return;
    if (result instanceof Uint8Array) callback(null, result);
    else if ('bytes' in result) callback(null, result.bytes, result.trailers);
    else callback(result);
  };
  // The log gets the cause of a fault; the caller does not.
  const fail = (thrown: unknown) => {
    logFault(log, thrown);
    send(statusOfFault(thrown));
  };
  try {
    const result = answer();
    if (result instanceof Promise) result.then(send, fail);
    else send(result);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Does not log a fault that is marked `retryable`: the caller simply tries again, and operators need not know. */
export function logFault(log: DoorContext['log'], thrown: unknown): void {
  const { code, shortMessage, cause, next } = HandoverError.from(thrown);
  if (next === 'retryable') return;
  log.error('grpc.fault', { code, message: shortMessage, cause: String(cause ?? '') });
}
