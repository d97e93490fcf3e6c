/**
 * Unary calls: decode, perhaps authenticate, ask the runtime, answer. A handler returns the response's bytes, or the
 * status with which the call is refused; what it throws is a fault.
 */
import type { handleUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { HandoverError } from '@handover/core';
import { type DescMessage, decodeMessage, type MessageShape } from '@handover/wire';
import type { Principal } from '../../auth/principal.js';
import { authenticateCall, type DoorContext } from './context.js';
import { MALFORMED, type Status, statusOfFault, statusOfRejection, TOOK_TOO_LONG } from './errors.js';

export type Reply = Uint8Array | Status;
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

/** For RPCs whose caller must be known; `answer` comes last, so that nothing is looked at before that. */
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
    else callback(result);
  };
  // Not the caller's business, and not to be lost either: what is thrown here is logged, with its cause.
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

/** A fault after which the caller simply tries again is no news for the operator; whoever raised it has said so. */
export function logFault(log: DoorContext['log'], thrown: unknown): void {
  const { code, shortMessage, cause, next } = HandoverError.from(thrown);
  if (next === 'retryable') return;
  log.error('grpc.fault', { code, message: shortMessage, cause: String(cause ?? '') });
}
