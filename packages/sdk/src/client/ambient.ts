/** Signals and progress: sent to whoever listens, part of no history. */
import { CoreMessageType, type Envelope } from '@handover/core';
import type { AuthConfig } from '../auth.js';
import {
  buildEnvelope,
  buildProgressPayload,
  buildSignalPayload,
  serializeMessage,
} from '../envelope/build.js';
import {
  validateBytes,
  validateConfidence,
  validateFinite,
  validateRequiredField,
  validateSignalType,
  validateTexts,
} from '../validation.js';

/** A signal to send. */
export interface SignalInput {
  readonly signalType: string;
  readonly data?: Uint8Array;
  /** Between 0 and 1. */
  readonly confidence?: number;
  readonly correlationSessionId?: string;
  readonly sender?: string;
  readonly auth?: AuthConfig;
}

/** Progress to report; with a session id only its members hear it. */
export interface ProgressInput {
  readonly progressToken: string;
  readonly progress: number;
  readonly total: number;
  readonly message?: string;
  readonly targetMessageId?: string;
  readonly sessionId?: string;
  readonly mode?: string;
  readonly sender?: string;
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
