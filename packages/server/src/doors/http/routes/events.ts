/** GET /macp/session/{id}/events: the session's envelopes, from after an ordinal, as they are accepted. */
import { FaultCode, HandoverError, isTerminal, type Rejection, RejectionCode, reject } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Outcome } from '../../../services/outcome.js';
import { sessionRef } from '../../../services/stream-refs.js';
import { logFault, rejectionAnswer } from '../errors.js';
import type { EventStreams } from '../event-streams.js';
import type { HttpApp, HttpContext, RouteDependencies } from '../http-types.js';
import { authenticateRequest } from '../principal.js';
import { endId, sessionEvents } from '../session-events.js';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies that buffer would hold the events back.
  'X-Accel-Buffering': 'no',
};

export function eventRoutes(app: HttpApp, route: RouteDependencies, streams: EventStreams): void {
  app.get('/macp/session/:id/events', async (c) => {
    const id = c.req.param('id');
    const known = await authenticateRequest(route.deps, c);
    if ('rejection' in known) return rejectionAnswer(c, known.rejection, id);
    const asked = afterOf(c);
    if ('rejection' in asked) return rejectionAnswer(c, asked.rejection, id);
    return follow(c, route, streams, { principal: known.value, id, after: asked.value });
  });
}

interface Wish {
  readonly principal: Principal;
  readonly id: string;
  readonly after: number;
}

async function follow(
  c: HttpContext,
  { deps, sessions, log }: RouteDependencies,
  streams: EventStreams,
  { principal, id, after }: Wish,
): Promise<Response> {
  const current = async () => (await deps.engine.query(sessionRef(principal.tenant, id)))?.state;
  const session = await current();
  const rejection = sessions.judgeReader(principal, id, session);
  if (!session || rejection) return rejectionAnswer(c, rejection ?? UNKNOWN, id);
  // 204 makes an EventSource stop reconnecting: there will never be more events.
  if (isTerminal(session.status) && after >= endId(session)) return c.body(null, 204);
  if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
  const disconnect = () => void c.env?.outgoing?.destroy();
  const admitted = deps.listeners.admit(principal, disconnect);
  if ('rejection' in admitted) return rejectionAnswer(c, admitted.rejection, id);
  const { value: listener } = admitted;
  const opened = await sessions.follow(principal, id, after).catch((thrown: unknown) => {
    listener.leave();
    throw thrown;
  });
  if ('rejection' in opened) {
    listener.leave();
    return rejectionAnswer(c, opened.rejection, id);
  }
  const { subscription, ordinal } = opened.value;
  // A client may be gone before anybody reads the body; then nobody would cancel the subscription.
  const { signal } = c.req.raw;
  const leave = () => {
    subscription.close();
    listener.leave();
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const source = {
    sessionId: id,
    subscription,
    ordinal,
    withControls: c.req.header('handover-control') === '1',
    listener,
    codec: deps.codec,
    current,
    onFault: (thrown: unknown) => {
      const fault = HandoverError.from(thrown);
      if (fault.code === FaultCode.STREAM_LAGGED) listener.behind();
      else logFault(log, fault);
    },
    leave,
    disconnect,
  };
  return c.body(sessionEvents(source, streams), 200, HEADERS);
}

const UNKNOWN: Rejection = reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session');

/** A client that reconnects sends the header by itself, so the header is newer than `after` in the address. */
function afterOf(c: HttpContext): Outcome<number> {
  const [name, text] = placeOf(c);
  if (/^[0-9]{1,15}$/.test(text)) return { value: Number(text) };
  const message = `${name} must be the ordinal of the last event, a whole number`;
  return { rejection: reject(RejectionCode.INVALID_ENVELOPE, message) };
}

function placeOf(c: HttpContext): readonly [name: string, text: string] {
  const header = c.req.header('last-event-id');
  return header === undefined ? ['after', c.req.query('after') ?? '0'] : ['Last-Event-ID', header];
}
