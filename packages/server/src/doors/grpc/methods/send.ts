/**
 * Send is the hot path, so it only translates. Every refusal is an Ack, also when authentication fails. A gRPC status
 * is only for bytes that hold no envelope and for faults that the service throws (docs/spec/macp.md 2.9).
 */
import type { Envelope } from '@handover/core';
import { decodeMessage, decodeSendRequest, encodeAckResponse, pb } from '@handover/wire';
import type { DoorContext } from '../context.js';
import { ackTrailers, invalidEnvelope, MALFORMED_ENVELOPE, statusOfFault, TOOK_TOO_LONG } from '../errors.js';
import { originOf } from '../origin.js';
import { logFault, type UnaryHandler } from '../unary.js';

const NO_ENVELOPE = invalidEnvelope('the request has no envelope');

export function sendMethod({ send, callers, deadlines, log }: DoorContext): UnaryHandler {
  return (call, callback) => {
    const envelope = decodeSendRequest(call.request) ?? beyondNumbers(call.request);
    if (envelope === undefined) return callback(MALFORMED_ENVELOPE);
    if (envelope === 'no-envelope') return callback(NO_ENVELOPE);
    const request = deadlines.begin(() => callback(TOOK_TOO_LONG));
    const authentication = () => callers.authentication(call);
    send.sendKnown(authentication, envelope, originOf(call)).then(
      (ack) => {
        if (deadlines.end(request)) callback(null, encodeAckResponse(ack), ackTrailers(ack));
      },
      (thrown: unknown) => {
        logFault(log, thrown);
        if (deadlines.end(request)) callback(statusOfFault(thrown));
      },
    );
  };
}

/** An envelope whose time no number holds: what is wrong with it is said in the Ack, like every other decision about it. */
function beyondNumbers(request: Uint8Array): Envelope | undefined {
  const envelope = decodeMessage(pb.SendRequestSchema, request)?.envelope;
  return envelope && { ...envelope, timestampUnixMs: Number(envelope.timestampUnixMs) };
}
