/**
 * Following a session as events, for every route that does: a place among the listeners, the subscription, and a body
 * that gives both back, whether or not anybody reads it.
 */
import { FaultCode, HandoverError, type SessionState } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../../services/outcome.js';
import { sessionRef } from '../../services/stream-refs.js';
import { logFault } from './errors.js';
import type { EventStreams } from './event-streams.js';
import type { HttpContext, RouteDependencies } from './http-types.js';
import { type SessionEventForm, sessionEvents } from './session-events.js';

export const EVENT_STREAM = {
  'Content-Type': 'text/event-stream',
  // Proxies that buffer would hold the events back.
  'X-Accel-Buffering': 'no',
};

export interface Wish {
  readonly principal: Principal;
  readonly id: string;
  /** An ordinal. */
  readonly after: number;
  /** Asked when the stream is open; `ordinal` is that of the last envelope before its first one. */
  form(ordinal: number): SessionEventForm;
}

export async function currentSession(
  { deps }: RouteDependencies,
  { tenant }: Principal,
  id: string,
): Promise<SessionState | undefined> {
  return (await deps.engine.query(sessionRef(tenant, id)))?.state;
}

export async function followSession(
  c: HttpContext,
  route: RouteDependencies,
  streams: EventStreams,
  { principal, id, after, form }: Wish,
): Promise<Outcome<Response>> {
  const { deps, sessions, log } = route;
  const disconnect = () => void c.env?.outgoing?.destroy();
  const admitted = deps.listeners.admit(principal, disconnect);
  if ('rejection' in admitted) return admitted;
  const { value: listener } = admitted;
  const opened = await sessions.follow(principal, id, after).catch((thrown: unknown) => {
    listener.leave();
    throw thrown;
  });
  if ('rejection' in opened) {
    listener.leave();
    return opened;
  }
  const { subscription, ordinal } = opened.value;
  const leave = () => {
    subscription.close();
    listener.leave();
  };
  // A client may be gone before anybody reads the body; then nobody would cancel the subscription.
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const source = {
    form: form(ordinal),
    subscription,
    listener,
    current: () => currentSession(route, principal, id),
    onFault: (thrown: unknown) => {
      const fault = HandoverError.from(thrown);
      if (fault.code === FaultCode.STREAM_LAGGED) listener.behind();
      else if (fault.code !== FaultCode.CREDENTIAL_EXPIRED) logFault(log, fault);
    },
    leave,
    disconnect,
  };
  return { value: c.body(sessionEvents(source, streams), 200, EVENT_STREAM) };
}
