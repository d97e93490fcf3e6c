/**
 * StreamSession, to follow a session: its envelopes from after an ordinal, then as they are accepted.
 *
 * S1. `id` is the ordinal. What the runtime wrote on request (suspend, resume, cancel) has none and is not delivered.
 * S2. After the Commitment the stream ends. A session that was cancelled or has expired ends it with SESSION_NOT_OPEN.
 */
import {
  type Entry,
  envelopeOfEntry,
  hasOrdinal,
  RejectionCode,
  reject,
  type SessionState,
  SessionStatus,
} from '@handover/core';
import {
  decodeStreamRequest,
  encodeStreamFrame,
  type JsonMembers,
  messageToJson,
  methods,
} from '@handover/wire';
import type { EventStreams } from '../event-streams.js';
import { currentSession, followSession } from '../follow-session.js';
import type { HttpContext, RouteDependencies } from '../http-types.js';
import type { SessionEventForm } from '../session-events.js';
import { faultError, invalidRequest, refusalAnswer } from './errors.js';
import { messageIn, readKnown } from './request.js';
import { errorEvent, KEEPALIVE, KEEPALIVE_BEATS, messageEvent } from './sse.js';

const { input, output } = methods.streamSession;
const UNKNOWN = reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session');
const ORDINAL = /^[0-9]{1,15}$/;

export async function answerStreamSession(
  c: HttpContext,
  route: RouteDependencies,
  streams: EventStreams,
): Promise<Response> {
  const asked = await readKnown(c, route, true);
  if (asked instanceof Response) return asked;
  const place = placeIn(c, asked.body);
  if (place instanceof Response) return place;
  const { id, after } = place;
  const principal = asked.caller;
  const session = await currentSession(route, principal, id);
  const rejection = route.sessions.judgeReader(principal, id, session);
  if (!session || rejection) return refusalAnswer(c, rejection ?? UNKNOWN, id);
  const followed = await followSession(c, route, streams, {
    principal,
    id,
    after,
    form: (ordinal) => eventForm(id, ordinal),
  });
  return 'value' in followed ? followed.value : refusalAnswer(c, followed.rejection, id);
}

interface Place {
  readonly id: string;
  readonly after: number;
}

function placeIn(c: HttpContext, body: JsonMembers): Place | Response {
  if ((body.get('envelope') ?? null) !== null)
    return invalidRequest(c, 'envelope cannot be sent on this stream: use Send');
  const bytes = messageIn(c, input, body);
  if (bytes instanceof Response) return bytes;
  const { subscribeSessionId: id = '', afterSequence = 0 } = decodeStreamRequest(bytes) ?? {};
  if (id === '') return invalidRequest(c, 'subscribe_session_id is empty');
  const header = c.req.header('last-event-id');
  if (header === undefined) return { id, after: afterSequence };
  if (!ORDINAL.test(header)) return invalidRequest(c, 'Last-Event-ID must be the ordinal of an event', id);
  if (afterSequence !== 0 && afterSequence !== Number(header))
    return invalidRequest(c, 'Last-Event-ID and after_sequence name different places', id);
  return { id, after: Number(header) };
}

/** All subscribers of a session share its entries, and an entry has one ordinal. */
const encoded = new WeakMap<Entry, Buffer>();
const NOTHING = Buffer.alloc(0);

function eventForm(sessionId: string, ordinal: number): SessionEventForm {
  let last = ordinal;
  return {
    entry(entry) {
      const envelope = hasOrdinal(entry.type) ? envelopeOfEntry(entry) : undefined;
      if (!envelope) return NOTHING;
      last += 1;
      const known = encoded.get(entry);
      if (known) return known;
      const json = messageToJson(output, encodeStreamFrame({ kind: 'envelope', envelope })) ?? '';
      const event = messageEvent(json, last);
      encoded.set(entry, event);
      return event;
    },
    end: (session) => (session.status === SessionStatus.Resolved ? NOTHING : errorEvent(notOpen(session))),
    fault: (thrown) => errorEvent(faultError(thrown, sessionId)),
    heartbeat: KEEPALIVE,
    silentBeats: KEEPALIVE_BEATS,
  };
}

function notOpen({ id, status }: SessionState) {
  const what = status === SessionStatus.Cancelled ? 'was cancelled' : 'has expired';
  return { code: RejectionCode.SESSION_NOT_OPEN, message: `the session ${what}`, sessionId: id };
}
