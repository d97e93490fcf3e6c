/** Builders of envelopes and of the payloads that go into them. */
import {
  type CommitmentPayload,
  type CommitmentRef,
  type Envelope,
  findPayload,
  MACP_VERSION,
  type ModeName,
  type PayloadKind,
  type PayloadsIn,
  type ProgressPayload,
  type Root,
  type SessionStartPayload,
  type SignalPayload,
} from '@handover/core';
import { given, validateRequiredField, validateTexts } from '../arguments.js';
import { codec } from '../codec.js';
import {
  DEFAULT_CONFIGURATION_VERSION,
  DEFAULT_MODE_VERSION,
  DEFAULT_POLICY_VERSION,
  MODE_HANDOFF,
} from '../constants.js';
import { MacpSessionError } from '../errors.js';
import { validateCommitmentRef, validateId, validateUnixMs } from '../validation.js';
import { newCommitmentId, newMessageId, nowUnixMs } from './ids.js';
import { outcomeOf } from './outcome.js';

const NO_BYTES = new Uint8Array(0);

/** What `buildEnvelope` needs; ids, version and time have defaults. */
export interface EnvelopeInput {
  /** The mode of the session; empty for signals and progress. */
  readonly mode: string;
  /** What is said, such as `HandoffOffer`. */
  readonly messageType: string;
  /** The session; empty for signals. */
  readonly sessionId: string;
  /** What `serializeMessage` makes of the payload. */
  readonly payload: Uint8Array;
  /** Who speaks; the runtime fills in the credential's owner where it is empty. */
  readonly sender?: string | undefined;
  /** An id of one's own; a fresh one by default. */
  readonly messageId?: string | undefined;
  /** The protocol version; there is one. */
  readonly macpVersion?: string | undefined;
  /** When it was said; now by default. */
  readonly timestampUnixMs?: number | undefined;
}

/** An envelope around payload bytes. Keep it to send it again: its message id makes a retry harmless. */
export function buildEnvelope(input: EnvelopeInput): Envelope {
  const { mode, messageType, sessionId, payload, messageId, sender = '' } = given('input', input);
  const { macpVersion = MACP_VERSION, timestampUnixMs } = input;
  validateRequiredField('messageType', messageType);
  validateTexts({ mode, sessionId, sender });
  if (macpVersion !== MACP_VERSION)
    throw new MacpSessionError(`macpVersion must be ${MACP_VERSION}`, 'macpVersion');
  if (timestampUnixMs !== undefined) validateUnixMs('timestampUnixMs', timestampUnixMs);
  if (messageId !== undefined) validateId('messageId', messageId);
  if (!(payload instanceof Uint8Array))
    throw new MacpSessionError('payload must be a Uint8Array or Buffer', 'payload');
  return {
    macpVersion,
    mode,
    messageType,
    messageId: messageId ?? newMessageId(),
    sessionId,
    sender,
    timestampUnixMs: timestampUnixMs ?? nowUnixMs(),
    payload,
  };
}

/** The payloads of a mode by message type; those of Core are in every mode. */
export type KnownPayloads<M extends ModeName = typeof MODE_HANDOFF> = PayloadsIn<M>;

/** The protobuf bytes of a payload of a known message type; of Handoff Mode, unless another mode is named. */
export function serializeMessage<T extends keyof KnownPayloads>(
  messageType: T,
  payload: KnownPayloads[T],
): Uint8Array;
export function serializeMessage<M extends ModeName, T extends keyof KnownPayloads<M> & string>(
  messageType: T,
  payload: KnownPayloads<M>[T],
  mode: M,
): Uint8Array;
export function serializeMessage(messageType: string, payload: unknown, mode?: string): Uint8Array {
  return encodePayload(kindOf(messageType, mode), payload);
}

/** The payload of a known message type; undefined when the bytes are not that payload. */
export function parseMessage<T extends keyof KnownPayloads>(
  messageType: T,
  bytes: Uint8Array,
): KnownPayloads[T] | undefined;
export function parseMessage<M extends ModeName, T extends keyof KnownPayloads<M> & string>(
  messageType: T,
  bytes: Uint8Array,
  mode: M,
): KnownPayloads<M>[T] | undefined;
export function parseMessage(messageType: string, bytes: Uint8Array, mode?: string): unknown {
  return codec.decode(kindOf(messageType, mode), bytes);
}

/** The bytes of a payload. What the codec cannot write is a mistake of whoever made the payload. */
export function encodePayload<T>(kind: PayloadKind<T>, payload: T): Uint8Array {
  try {
    return codec.encode(kind, payload);
  } catch (cause) {
    throw new MacpSessionError(`payload is no ${kind.type}: ${String(cause)}`, 'payload');
  }
}

function kindOf(messageType: string, mode: string = MODE_HANDOFF): PayloadKind<unknown> {
  const kind = findPayload(mode, messageType);
  if (!kind) throw new MacpSessionError(`messageType ${messageType} is none of ${mode}`, 'messageType');
  return kind;
}

/** A SessionStart payload with the default versions where none are given. */
export function buildSessionStartPayload(
  input: Pick<SessionStartPayload, 'intent' | 'participants' | 'ttlMs'> & Partial<SessionStartPayload>,
): SessionStartPayload {
  return {
    modeVersion: DEFAULT_MODE_VERSION,
    configurationVersion: DEFAULT_CONFIGURATION_VERSION,
    policyVersion: DEFAULT_POLICY_VERSION,
    roots: [],
    contextId: '',
    extensions: {},
    maxSuspendMs: 0,
    ...input,
  };
}

/** A Commitment payload. The outcome follows from the action's ending; it must be given where that says nothing. */
export function buildCommitmentPayload(
  input: Pick<CommitmentPayload, 'action' | 'authorityScope' | 'reason'> & Partial<CommitmentPayload>,
): CommitmentPayload {
  validateRequiredField('action', given('input', input).action);
  if (input.supersedes !== undefined) validateCommitmentRef(input.supersedes);
  return {
    commitmentId: newCommitmentId(),
    modeVersion: DEFAULT_MODE_VERSION,
    policyVersion: DEFAULT_POLICY_VERSION,
    configurationVersion: DEFAULT_CONFIGURATION_VERSION,
    ...input,
    outcomePositive: outcomeOf(input.action, input.outcomePositive),
  };
}

/** A reference to an earlier Commitment, for `supersedes`. */
export function buildCommitmentRef(sessionId: string, commitmentHash: string): CommitmentRef {
  const ref = { sessionId, commitmentHash };
  validateCommitmentRef(ref);
  return ref;
}

/** A root that a session may work on. */
export function buildRoot(uri: string, name = ''): Root {
  return { uri, name };
}

/** A Signal payload. */
export function buildSignalPayload(
  input: Pick<SignalPayload, 'signalType'> & Partial<SignalPayload>,
): SignalPayload {
  return { data: NO_BYTES, confidence: 0, correlationSessionId: '', ...input };
}

/** A Progress payload. */
export function buildProgressPayload(
  input: Pick<ProgressPayload, 'progressToken' | 'progress' | 'total'> & Partial<ProgressPayload>,
): ProgressPayload {
  return { message: '', targetMessageId: '', ...input };
}
