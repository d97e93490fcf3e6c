/** The gRPC status of a refused call: from a rejection, from a fault, or because the door cannot read the request. */
import { Metadata, status } from '@grpc/grpc-js';
import { FaultCode, HandoverError, type Rejection } from '@handover/core';
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
  const [name, text] = FAULT_TEXTS[code].macp;
  // A client that was refused and one that was cut off get the same status: the name tells them apart.
  const details = code === FaultCode.STREAM_LAGGED ? `${name}: ${text}` : text;
  return { code: status[FAULT_STATUS[code].grpc], details };
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
