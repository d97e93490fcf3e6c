/** Signals and progress: sent to whoever listens, part of no history. */
import { CoreMessageType, type Envelope } from '@handover/core';
import { validateRequiredField, validateTexts } from '../arguments.js';
import type { AuthConfig } from '../auth.js';
import {
  buildEnvelope,
  buildProgressPayload,
  buildSignalPayload,
  serializeMessage,
} from '../envelope/build.js';
import { validateBytes, validateConfidence, validateFinite, validateSignalType } from '../validation.js';

/** A signal to send. */
export interface SignalInput {
  /** What is signalled. */
  readonly signalType: string;
  /** Whatever goes with it, as bytes. */
  readonly data?: Uint8Array;
  /** Between 0 and 1. */
  readonly confidence?: number;
  /** The session that it is about. */
  readonly correlationSessionId?: string;
  /** Who speaks; by default the owner of the credential. */
  readonly sender?: string;
  /** The credential, in place of the client's. */
  readonly auth?: AuthConfig;
}

/** Progress to report; with a session id only its members hear it. */
export interface ProgressInput {
  /** What the progress is of; the same in each report. */
  readonly progressToken: string;
  /** How far it is. */
  readonly progress: number;
  /** How far it will go. */
  readonly total: number;
  /** In words. */
  readonly message?: string;
  /** The message that asked for it. */
  readonly targetMessageId?: string;
  /** The session whose members hear it; without one everybody who watches signals. */
  readonly sessionId?: string;
  /** The mode of that session. */
  readonly mode?: string;
  /** Who speaks; by default the owner of the credential. */
  readonly sender?: string;
  /** The credential, in place of the client's. */
  readonly auth?: AuthConfig;
}

export function signalEnvelope(input: SignalInput, sender: string): Envelope {
  const { signalType, data, confidence, correlationSessionId } = input;
  validateSignalType(signalType);
  validateBytes('data', data);
  if (confidence !== undefined) validateConfidence(confidence);
  validateTexts({ correlationSessionId });
  const payload = buildSignalPayload({
    signalType,
    ...(data && { data }),
    ...(confidence !== undefined && { confidence }),
    ...(correlationSessionId !== undefined && { correlationSessionId }),
  });
  const messageType = CoreMessageType.Signal;
  return buildEnvelope({
    mode: '',
    messageType,
    sessionId: '',
    sender,
    payload: serializeMessage(messageType, payload),
  });
}

export function progressEnvelope(input: ProgressInput, sender: string): Envelope {
  const { progressToken, progress, total, message, targetMessageId, sessionId, mode } = input;
  validateRequiredField('progressToken', progressToken);
  validateFinite('progress', progress);
  validateFinite('total', total);
  validateTexts({ message, targetMessageId, sessionId, mode });
  const payload = buildProgressPayload({
    progressToken,
    progress,
    total,
    ...(message !== undefined && { message }),
    ...(targetMessageId !== undefined && { targetMessageId }),
  });
  const messageType = CoreMessageType.Progress;
  return buildEnvelope({
    mode: mode ?? '',
    messageType,
    sessionId: sessionId ?? '',
    sender,
    payload: serializeMessage(messageType, payload),
  });
}
