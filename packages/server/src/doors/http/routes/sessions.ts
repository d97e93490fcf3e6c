/** Reading and steering sessions: GET /macp/session, GET /macp/session/{id}, POST /macp/session/{id}/{control}. */
import { Control, isFields, isWellFormed, type Rejection, RejectionCode, reject } from '@handover/core';
import { callerKey } from '../../../auth/caller-key.js';
import { jsonLimits } from '../../../config/json-limits.js';
import { rejectedAck } from '../../../services/macp/acks.js';
import type { Outcome, Refused } from '../../../services/outcome.js';
import { pageToken, readPageToken } from '../../../services/page-token.js';
import { bodyLimit, MAX_DEPTH, readJson } from '../body.js';
import { ackAnswer, noRoomAnswer, rejectionAnswer, rejectionOfBody } from '../errors.js';
import type { HttpApp, HttpContext, RouteDependencies } from '../http-types.js';
import { OneForEach } from '../one-for-each.js';
import { authenticateRequest } from '../principal.js';
import { metadataToJson } from '../translate.js';

export function sessionRoutes(app: HttpApp, route: RouteDependencies): void {
  const { deps, sessions } = route;
  const lists = new OneForEach();

  app.get('/macp/session', async (c) => {
    const known = await authenticateRequest(deps, c);
    if ('rejection' in known) return rejectionAnswer(c, known.rejection);
    const page = pageOf(c);
    if ('rejection' in page) return rejectionAnswer(c, page.rejection);
    return lists.run(callerKey(known.value), async () => {
      // Its turn came too late for whoever asked.
      if (c.env?.outgoing?.destroyed) return c.body(null, 503);
      const { sessions: found, nextAfter } = await sessions.list(
        known.value,
        page.value.size,
        page.value.after,
      );
      return c.json({
        sessions: found.map(metadataToJson),
        next_page_token: pageToken('sessions', nextAfter),
      });
    });
  });

  app.get('/macp/session/:id', async (c) => {
    const id = c.req.param('id');
    const known = await authenticateRequest(deps, c);
    if ('rejection' in known) return rejectionAnswer(c, known.rejection, id);
    const found = await sessions.get(known.value, id);
    return 'value' in found ? c.json(metadataToJson(found.value)) : rejectionAnswer(c, found.rejection, id);
  });

  for (const control of Object.values(Control))
    app.post(`/macp/session/:id/${control}`, (c) => steer(c, route, c.req.param('id'), control));
}

async function steer(
  c: HttpContext,
  route: RouteDependencies,
  sessionId: string,
  control: Control,
): Promise<Response> {
  const { deps, sessions } = route;
  const refuse = (rejection: Rejection) =>
    ackAnswer(c, rejectedAck({ messageId: '', sessionId }, deps.now(), rejection, deps.codec), deps.codec);
  const known = await authenticateRequest(deps, c);
  if ('rejection' in known) return refuse(known.rejection);
  const body = await readJson(c, jsonLimits(MAX_DEPTH, bodyLimit(0)), callerKey(known.value));
  if ('refusal' in body) {
    const { status, message } = body.refusal;
    return status === 503 ? noRoomAnswer(c, message) : refuse(rejectionOfBody(status, message));
  }
  const asked = reasonIn(body.value);
  if ('rejection' in asked) return refuse(asked.rejection);
  const outcome = await sessions.control(known.value, sessionId, control, asked.value);
  return 'value' in outcome ? ackAnswer(c, outcome.value, deps.codec) : refuse(outcome.rejection);
}

/** `{ "reason": "..." }`, or nothing. */
function reasonIn(value: unknown = {}): Outcome<string> {
  if (!isFields(value)) return invalid('the body must be an object');
  const reason = Object.hasOwn(value, 'reason') ? value.reason : '';
  return typeof reason === 'string' && isWellFormed(reason)
    ? { value: reason }
    : invalid('reason must be a string of whole characters');
}

function pageOf(c: HttpContext): Outcome<{ readonly size: number; readonly after: string }> {
  const size = c.req.query('page_size') ?? '0';
  const after = readPageToken('sessions', c.req.query('page_token') ?? '');
  if (!/^[0-9]{1,9}$/.test(size)) return invalid('page_size must be a whole number, 0 or more');
  return after === undefined
    ? invalid('page_token is not one of ours')
    : { value: { size: Number(size), after } };
}

function invalid(message: string): Refused {
  return { rejection: reject(RejectionCode.INVALID_ENVELOPE, message) };
}
