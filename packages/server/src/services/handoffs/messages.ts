/** Envelopes of Handoff Mode as this service sends them, and the step that submits one. */
import {
  checkShape,
  type Envelope,
  HANDOFF_MODE,
  MACP_VERSION,
  type PayloadKind,
  type Rejection,
  type SessionBinding,
  type Step,
  type StreamRef,
} from '@handover/core';
import type { HandoffDependencies } from './dependencies.js';

export interface Message extends Step<'session'> {
  readonly bytes: number;
  /** Rows 1 to 5 of sending (docs/spec/macp.md 2.2) hold here, too. */
  readonly flaw?: Rejection;
}

export function message<P>(
  deps: HandoffDependencies,
  to: { readonly session: StreamRef<'session'>; readonly sender: string; readonly messageId: string },
  kind: PayloadKind<P>,
  payload: NoInfer<P>,
  binding?: SessionBinding,
): Message {
  const { session, sender, messageId } = to;
  const envelope: Envelope = {
    macpVersion: MACP_VERSION,
    mode: HANDOFF_MODE,
    messageType: kind.type,
    messageId,
    sessionId: session.id,
    sender,
    timestampUnixMs: deps.now(),
    payload: deps.codec.encode(kind, payload),
  };
  const flaw = checkShape(envelope, deps.settingsNow().maxPayloadBytes);
  return {
    stream: session,
    messageId,
    command: { kind: 'envelope', envelope, ...(binding && { binding }) },
    bytes: envelope.payload.length + 512,
    ...(flaw && { flaw }),
  };
}
