/** GET /macp/session/{id}/events: the session's envelopes, from after an ordinal, as they are accepted. */
import {
  type Codec,
  hasOrdinal,
  isTerminal,
  ordinalAt,
  type Rejection,
  RejectionCode,
  reject,
  type SessionState,
  SessionStatus,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Outcome } from '../../../services/outcome.js';
import { encodedEntry } from '../encoded-entry.js';
import { faultError, rejectionAnswer } from '../errors.js';
import type { EventStreams } from '../event-streams.js';
import { currentSession, EVENT_STREAM, followSession } from '../follow-session.js';
import type { HttpApp, HttpContext, RouteDependencies } from '../http-types.js';
import { authenticateRequest } from '../principal.js';
import type { SessionEventForm } from '../session-events.js';
import { encodeEvent, HEARTBEAT } from '../sse.js';
import { errorToJson, stateName } from '../translate.js';

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

interface Asked {
  readonly principal: Principal;
  readonly id: string;
  readonly after: number;
}

async function follow(
  c: HttpContext,
  route: RouteDependencies,
  streams: EventStreams,
  { principal, id, after }: Asked,
): Promise<Response> {
  const { deps, sessions } = route;
  const session = await currentSession(route, principal, id);
  const rejection = sessions.judgeReader(principal, id, session);
  if (!session || rejection) return rejectionAnswer(c, rejection ?? UNKNOWN, id);
  // 204 makes an EventSource stop reconnecting: there will never be more events.
  if (isTerminal(session.status) && after >= endId(session)) return c.body(null, 204);
  if (c.req.method === 'HEAD') return c.body(null, 200, EVENT_STREAM);
  const withControls = c.req.header('handover-control') === '1';
  const form = (ordinal: number) => eventForm(id, { ordinal, withControls, codec: deps.codec });
  const followed = await followSession(c, route, streams, { principal, id, after, form });
  return 'value' in followed ? followed.value : rejectionAnswer(c, followed.rejection, id);
}

interface Told {
  /** Of the last envelope before the first event. */
  readonly ordinal: number;
  /** Suspend, resume and cancel come to those who ask for them. */
  readonly withControls: boolean;
  readonly codec: Codec;
}

/**
 * `id` is the ordinal: after + 1, after + 2, ... without gap or repeat. Cancelling and expiry have none: they show as `end`,
 * with an id of its own, so that a client that missed it is told again.
 */
function eventForm(sessionId: string, { ordinal, withControls, codec }: Told): SessionEventForm {
  let last = ordinal;
  return {
    entry(entry) {
      const counts = hasOrdinal(entry.type);
      if (counts) last += 1;
      return counts || withControls ? encodedEntry(entry, last, codec) : NOTHING;
    },
    end: (session) =>
      encodeEvent({
        event: 'end',
        id: endId(session),
        data: { session_id: session.id, state: stateName(session.status) },
      }),
    fault: (thrown) =>
      encodeEvent({ event: 'error', data: errorToJson(faultError(thrown, sessionId), codec) }),
    heartbeat: HEARTBEAT,
    silentBeats: 1,
  };
}

/** Nothing comes after it. A Commitment has an ordinal and says the end itself. */
function endId({ controls, seq, status }: SessionState): number {
  return ordinalAt(controls, seq) + (status === SessionStatus.Resolved ? 0 : 1);
}

const NOTHING = Buffer.alloc(0);
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
