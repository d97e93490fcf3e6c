/** The gRPC status of a refused call: from a rejection, from a fault, or because the door cannot read the request. */
import { Metadata, status } from '@grpc/grpc-js';
import { FAULT_WAIT_MS, FaultCode, HandoverError, type Rejection } from '@handover/core';
import type { Ack } from '@handover/wire';
import { fixedLimits } from '../../config/fixed-limits.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { errorDetails, waitIn, wholeSeconds } from '../../services/macp/error-details.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { FAULT_STATUS, REJECTION_STATUS } from '../status-table.js';

export interface Status {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

/** The bytes of MACPError.details. Existing clients read the reasons of a policy from it when a status carries it. */
export const ERROR_DETAILS_TRAILER = 'macp-error-details-bin';
/** As in HTTP: whole seconds. */
export const RETRY_AFTER_TRAILER = 'retry-after';

export const MALFORMED: Status = invalidArgument('the request is not the protobuf message of this method');
/** For requests that are no envelopes. */
export const MAX_REQUEST_BYTES = fixedLimits.grpcRequestBytes.value;
export const REQUEST_TOO_LARGE: Status = {
  code: status.RESOURCE_EXHAUSTED,
  details: `the request has more than ${MAX_REQUEST_BYTES} bytes`,
};
/** For streams and watches: a client that reconnects can go on where its subscription stopped. */
export const SHUTTING_DOWN: Status = withWait(
  { code: status.UNAVAILABLE, details: 'the server is shutting down; reconnect and go on' },
  FaultCode.SHUTTING_DOWN,
);
export const TOOK_TOO_LONG: Status = {
  code: status.DEADLINE_EXCEEDED,
  details: 'no answer in time; whether it was stored is not known, retry with the same message_id',
};

export const NOT_BEGUN_IN_TIME: Status = {
  code: status.DEADLINE_EXCEEDED,
  details:
    'the request was not whole in time, or answers before it were not taken; nothing was done, try again',
};

export function invalidArgument(details: string): Status {
  return { code: status.INVALID_ARGUMENT, details };
}

export function notFound(details: string): Status {
  return { code: status.NOT_FOUND, details };
}

export function statusOfRejection(rejection: Rejection): Status {
  const { code, message } = rejection;
  const { grpc } = REJECTION_STATUS[code];
  // Clients show the name of the status before its text.
  const refusal = { code: status[grpc], details: code === grpc ? message : `${code}: ${message}` };
  return withTrailers(refusal, errorDetails(rejection, nodeCodec));
}

/** The status leaves out the cause of the fault and tells the caller what to do next. */
export function statusOfFault(thrown: unknown): Status {
  const { code } = HandoverError.from(thrown);
  const [name, text] = FAULT_TEXTS[code].macp;
  // A client that was refused and one that was cut off get the same status: the name tells them apart.
  const details = code === FaultCode.STREAM_LAGGED ? `${name}: ${text}` : text;
  return withWait({ code: status[FAULT_STATUS[code].grpc], details }, code);
}

function withWait(refusal: Status, code: FaultCode): Status {
  const retryAfterMs = FAULT_WAIT_MS[code];
  if (retryAfterMs === undefined) return refusal;
  return withTrailers(refusal, errorDetails({ details: { retryAfterMs } }, nodeCodec));
}

function withTrailers(refusal: Status, details: Uint8Array): Status {
  const metadata = trailersOf(details);
  return metadata ? { ...refusal, metadata } : refusal;
}

/** What a call that was refused carries besides its status or its Ack: the details, and the wait as seconds. */
function trailersOf(details: Uint8Array): Metadata | undefined {
  if (details.length === 0) return undefined;
  const metadata = new Metadata();
  metadata.set(ERROR_DETAILS_TRAILER, Buffer.from(details));
  const wait = waitIn(details);
  if (wait !== undefined) metadata.set(RETRY_AFTER_TRAILER, wholeSeconds(wait));
  return metadata;
}

/** A refusal inside an Ack has an OK status: clients that look at trailers alone find the wait all the same. */
export function ackTrailers({ error }: Ack): Metadata | undefined {
  return error && trailersOf(error.details);
}

/**
 * For a subscriber that was cut off because it fell behind. `written` is the last ordinal that was sent to it: if it
 * goes on from there, it has no gap.
 */
export function laggedStatus(written: number): Status {
  return {
    code: status[FAULT_STATUS[FaultCode.STREAM_LAGGED].grpc],
    details: `${FaultCode.STREAM_LAGGED}: the subscriber fell too far behind; subscribe again with after_sequence=${written}`,
  };
}
