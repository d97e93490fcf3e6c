/**
 * The gRPC status of a refused call: from a rejection, from a fault, or because the door cannot read the request.
 *
 * E1. Every status carries the code of the MACP registry as a trailer: a status alone stands for several codes
 *     (docs/spec/macp-2026.md 2.1).
 * E2. What a program needs to act on a refusal comes as a second trailer, with the bytes of MACPError.details (2.2), if it is short.
 * E3. All trailers of a call together stay below what every client takes of headers, whatever the refusal is about.
 */
import { Metadata, status } from '@grpc/grpc-js';
import {
  FAULT_WAIT_MS,
  FaultCode,
  HandoverError,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import type { Ack } from '@handover/wire';
import { fixedLimits } from '../../config/fixed-limits.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { errorDetails, waitIn, wholeSeconds } from '../../services/macp/error-details.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { FAULT_REGISTRY_CODES, FAULT_STATUS, REJECTION_STATUS } from '../status-table.js';
import { statusText } from './status-text.js';

export interface Status {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/** The code of the registry. Clients branch on it. */
export const ERROR_CODE_TRAILER = 'macp-error-code';
/** The bytes of MACPError.details. Existing clients read the reasons of a policy from it when a status carries it. */
export const ERROR_DETAILS_TRAILER = 'macp-error-details-bin';
/** As in HTTP: whole seconds. */
export const RETRY_AFTER_TRAILER = 'retry-after';

const MAX_DETAILS = fixedLimits.grpcDetailsTrailerBytes.value;
const NOTHING = new Uint8Array(0);
const NOT_THE_MESSAGE = 'the request is not the protobuf message of this method';

/** Bytes that are not the request of an RPC. */
export const MALFORMED: Status = invalidRequest(NOT_THE_MESSAGE);
/** The same of an RPC whose requests carry envelopes. */
export const MALFORMED_ENVELOPE: Status = invalidEnvelope(NOT_THE_MESSAGE);
/** For requests that are no envelopes. */
export const MAX_REQUEST_BYTES = fixedLimits.grpcRequestBytes.value;
export const REQUEST_TOO_LARGE: Status = plain(
  RejectionCode.PAYLOAD_TOO_LARGE,
  `the request has more than ${MAX_REQUEST_BYTES} bytes`,
);
/** For streams and watches: a client that reconnects can go on where its subscription stopped. */
export const SHUTTING_DOWN: Status = ofFault(
  FaultCode.SHUTTING_DOWN,
  'the server is shutting down; reconnect and go on',
);
export const TOOK_TOO_LONG: Status = late(
  'no answer in time; whether it was stored is not known, retry with the same message_id',
);
export const NOT_BEGUN_IN_TIME: Status = late(
  'the request was not whole in time, or answers before it were not taken; nothing was done, try again',
);

/** A request that is no envelope and is malformed. */
export function invalidRequest(details: string): Status {
  return plain(RejectionCode.INVALID_REQUEST, details);
}

/** What should carry an envelope and does not. */
export function invalidEnvelope(details: string): Status {
  return plain(RejectionCode.INVALID_ENVELOPE, details);
}

export function statusOfRejection(rejection: Rejection): Status {
  const { code, message } = rejection;
  return { ...plain(code, message), metadata: trailersOf(code, errorDetails(rejection, nodeCodec)) };
}

/** The status leaves out the cause of the fault and tells the caller what to do next. */
export function statusOfFault(thrown: unknown): Status {
  const { code } = HandoverError.from(thrown);
  const [name, text] = FAULT_TEXTS[code].macp;
  // A client that was refused and one that was cut off get the same status: the name tells them apart.
  return ofFault(code, code === FaultCode.STREAM_LAGGED ? `${name}: ${text}` : text);
}

function ofFault(code: FaultCode, details: string): Status {
  const retryAfterMs = FAULT_WAIT_MS[code];
  const wait = retryAfterMs === undefined ? {} : { details: { retryAfterMs } };
  return {
    code: status[FAULT_STATUS[code].grpc],
    details: statusText(details),
    metadata: trailersOf(FAULT_REGISTRY_CODES[code], errorDetails(wait, nodeCodec)),
  };
}

function late(details: string): Status {
  const metadata = trailersOf(RejectionCode.INTERNAL_ERROR, NOTHING);
  return { code: status.DEADLINE_EXCEEDED, details, metadata };
}

function plain(code: RejectionCode, message: string): Status {
  const { grpc } = REJECTION_STATUS[code];
  // Clients show the name of the status before its text.
  const details = statusText(code === grpc ? message : `${code}: ${message}`);
  return { code: status[grpc], details, metadata: trailersOf(code, NOTHING) };
}

/** What a call that was refused carries besides its status: the code, the details, and the wait as seconds. */
function trailersOf(code: RejectionCode, details: Uint8Array): Metadata {
  const metadata = new Metadata();
  metadata.set(ERROR_CODE_TRAILER, code);
  addDetails(metadata, details);
  return metadata;
}

function addDetails(metadata: Metadata, details: Uint8Array): void {
  // Longer ones name many participants or reasons. The Ack has them; waits are short.
  if (details.length === 0 || details.length > MAX_DETAILS) return;
  metadata.set(ERROR_DETAILS_TRAILER, Buffer.from(details));
  const wait = waitIn(details);
  if (wait !== undefined) metadata.set(RETRY_AFTER_TRAILER, wholeSeconds(wait));
}

/** A refusal inside an Ack has an OK status: clients that look at trailers alone find the wait all the same. */
export function ackTrailers({ error }: Ack): Metadata | undefined {
  if (!error || error.details.length === 0) return undefined;
  const metadata = new Metadata();
  addDetails(metadata, error.details);
  return metadata;
}

/**
 * For a subscriber that was cut off because it fell behind. `written` is the last ordinal that was sent to it: if it
 * goes on from there, it has no gap.
 */
export function laggedStatus(written: number): Status {
  return statusOfRejection(
    reject(
      RejectionCode.STREAM_LAGGED,
      `the subscriber fell too far behind; subscribe again with after_sequence=${written}`,
    ),
  );
}
