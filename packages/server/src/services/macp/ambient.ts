/** Signals and Progress: checked, broadcast, forgotten. Progress about a session is for its members alone. */
import {
  CoreMessageType,
  type Envelope,
  isBlank,
  maySpeak,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { ServiceDependencies } from '../dependencies.js';
import { sessionRef } from '../stream-refs.js';

export async function sendAmbient(
  deps: ServiceDependencies,
  principal: Principal,
  envelope: Envelope,
): Promise<Rejection | undefined> {
  const flaw = payloadFlaw(deps, envelope);
  if (flaw) return reject(RejectionCode.INVALID_ENVELOPE, flaw);
  const { tenant } = principal;
  const signal = { envelope, senderAuthenticated: principal.isAssumed !== true };
  if (envelope.sessionId === '') {
    deps.signals.publish({ tenant, signal });
    return undefined;
  }
  const found = await deps.engine.query(sessionRef(tenant, envelope.sessionId));
  if (!found) return reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session');
  const { state: session } = found;
  if (!maySpeak(session, principal.agent))
    return reject(RejectionCode.FORBIDDEN, 'the sender is not a participant of this session');
  deps.signals.publish({ tenant, signal, audience: (agent) => maySpeak(session, agent) });
  return undefined;
}

function payloadFlaw({ codec }: ServiceDependencies, { messageType, payload }: Envelope): string | undefined {
  if (messageType === CoreMessageType.Progress)
    return codec.decode('Progress', payload) ? undefined : 'payload is not a ProgressPayload';
  if (payload.length === 0) return undefined;
  const signal = codec.decode('Signal', payload);
  if (!signal) return 'payload is not a SignalPayload';
  return isBlank(signal.signalType) ? 'signal_type is empty' : undefined;
}
