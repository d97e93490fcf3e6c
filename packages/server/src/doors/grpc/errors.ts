/** The gRPC status of a refused call: from a rejection, from a fault, or because the door cannot read the request. */
import { Metadata, status } from '@grpc/grpc-js';
import { FaultCode, HandoverError, type Rejection } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { FAULT_STATUS, REJECTION_STATUS } from '../status-table.js';

export interface Status {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

/** Existing clients read the reasons of a policy from this trailer when a status carries it. */
export const ERROR_DETAILS_TRAILER = 'macp-error-details-bin';

export const MALFORMED: Status = invalidArgument('the request is not the protobuf message of this method');
/** For requests that are no envelopes. */
export const MAX_REQUEST_BYTES = fixedLimits.grpcRequestBytes.value;
export const REQUEST_TOO_LARGE: Status = {
  code: status.RESOURCE_EXHAUSTED,
  details: `the request has more than ${MAX_REQUEST_BYTES} bytes`,
};
/** For streams and watches: a client that reconnects can go on where its subscription stopped. */
export const SHUTTING_DOWN: Status = {
  code: status.UNAVAILABLE,
  details: 'the server is shutting down; reconnect and go on',
};
export const TOOK_TOO_LONG: Status = {
  code: status.DEADLINE_EXCEEDED,
  details: 'no answer in time; whether it was stored is not known, retry with the same message_id',
};

export function invalidArgument(details: string): Status {
  return { code: status.INVALID_ARGUMENT, details };
}

export function notFound(details: string): Status {
  return { code: status.NOT_FOUND, details };
}

export function statusOfRejection({ code, message, reasons }: Rejection): Status {
  const refusal = { code: status[REJECTION_STATUS[code].grpc], details: `${code}: ${message}` };
  if (reasons === undefined) return refusal;
  const metadata = new Metadata();
  metadata.set(ERROR_DETAILS_TRAILER, Buffer.from(JSON.stringify({ reasons })));
  return { ...refusal, metadata };
}

/** The status leaves out the cause of the fault and tells the caller what to do next. */
export function statusOfFault(thrown: unknown): Status {
  return faultStatus(HandoverError.from(thrown).code);
}

function faultStatus(code: FaultCode): Status {
  const [, details] = FAULT_TEXTS[code].macp;
  return { code: status[FAULT_STATUS[code].grpc], details };
}

/**
 * For a subscriber that was cut off because it fell behind. `written` is the last ordinal that was sent to it: if it
 * goes on from there, it has no gap.
 */
export function laggedStatus(written: number): Status {
  return {
    code: status[FAULT_STATUS[FaultCode.LAGGED].grpc],
    details: `the subscriber fell too far behind; subscribe again with after_sequence=${written}`,
  };
}
