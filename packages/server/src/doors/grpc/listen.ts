/** What every call that listens goes through first: who is calling, and whether it may listen. */
import type { Principal } from '../../auth/principal.js';
import type { CutOff, Listener } from '../../services/listening/listener.js';
import { authenticateCall, type DoorContext } from './context.js';
import { type Status, statusOfRejection } from './errors.js';
import type { Outgoing, OutgoingCall } from './outgoing.js';

export interface Listening {
  readonly principal: Principal;
  readonly listener: Listener;
}

/** Undefined: the call has ended meanwhile. The listener leaves with the call. */
export async function listen(
  context: DoorContext,
  call: OutgoingCall,
  out: Outgoing,
  cutOff: CutOff,
): Promise<Listening | Status | undefined> {
  const known = await authenticateCall(context, call);
  if ('rejection' in known) return statusOfRejection(known.rejection);
  if (out.ended) return undefined;
  const { value: principal } = known;
  const admitted = context.deps.listeners.admit(principal, cutOff);
  if ('rejection' in admitted) return statusOfRejection(admitted.rejection);
  const { value: listener } = admitted;
  out.countFor(listener);
  return { principal, listener };
}
