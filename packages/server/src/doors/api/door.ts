/**
 * `/api/v1`, for commands and other programs (docs/reference/api.md), mounted on the HTTP door behind its guards.
 *
 * V1. The caller is whoever the bearer is. Nothing else names anybody: no cookie, no certificate, no name in a body, and
 *     in dev mode not the absence of a bearer either.
 * V2. The order: credential, rate, scope, body, fields. A body is read for known callers only.
 * V3. A field that is not known is refused; `null` is absence.
 * V4. Answers are JSON. Refusals have one form (doors/http/api-error.ts).
 */
import { isFields, type Rejection, RejectionCode, reject } from '@handover/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { callerKey } from '../../auth/caller-key.js';
import type { Principal } from '../../auth/principal.js';
import type { Scope } from '../../auth/scopes.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { jsonLimits } from '../../config/json-limits.js';
import { authenticate } from '../../services/authenticate.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { HookServices } from '../../services/handoffs/hook-visits.js';
import type { Outcome } from '../../services/outcome.js';
import { rateFlaw } from '../../services/rate-flaw.js';
import { API_PATH, apiError } from '../http/api-error.js';
import { MAX_DEPTH, readJson } from '../http/body.js';
import { httpError, noRoomAnswer } from '../http/errors.js';
import type { HttpApp, HttpContext } from '../http/http-types.js';
import { originOf } from '../http/principal.js';
import { REJECTION_STATUS } from '../status-table.js';
import { ROUTES, type Route } from './routes.js';

export interface ApiDoorOptions {
  readonly deps: ServiceDependencies;
  readonly hooks: HookServices;
  /** For which resource a caller's token may have been made out. */
  readonly resource: (c: HttpContext) => string;
}

export function mountApi(app: HttpApp, options: ApiDoorOptions): void {
  for (const route of ROUTES) {
    const path = API_PATH + route.path;
    app.post(path, (c) => answer(c, route, options));
    app.all(path, (c) => {
      c.header('Allow', 'POST');
      return httpError(c, 405, 'METHOD_NOT_ALLOWED', 'use POST');
    });
  }
}

async function answer(c: HttpContext, route: Route, options: ApiDoorOptions): Promise<Response> {
  const { deps, hooks, resource } = options;
  const authorization = c.req.header('authorization');
  const credentials = { resource: resource(c), ...(authorization !== undefined && { authorization }) };
  const known = await authenticate(deps, credentials, originOf(c));
  if ('rejection' in known)
    return refused(c, known.rejection, 'Send Authorization: Bearer and a valid token');
  const { value: principal } = known;
  const limited = rateFlaw(deps, principal);
  if (limited) return refused(c, limited);
  if (!principal.scopes.has(route.scope)) return missing(c, deps, route, principal, route.scope);
  const limits = jsonLimits(MAX_DEPTH, fixedLimits.captureBodyBytes.value);
  const body = await readJson(c, limits, callerKey(principal));
  if ('refusal' in body) return unreadable(c, body.refusal);
  const fields = fieldsOf(body.value, route, principal);
  if ('rejection' in fields) return refused(c, fields.rejection);
  const further = route.furtherScope?.(fields.value);
  if (further !== undefined && !principal.scopes.has(further))
    return missing(c, deps, route, principal, further);
  const outcome = await route.take(hooks, principal, fields.value);
  return 'rejection' in outcome ? refused(c, outcome.rejection) : c.json(outcome.value, 200);
}

type Fields = Readonly<Record<string, unknown>>;

/** What the service reads: `agent` is compared here, and goes no further. */
function fieldsOf(value: unknown, { fields }: Route, principal: Principal): Outcome<Fields> {
  if (!isFields(value)) return invalid('the body must be a JSON object');
  const given = Object.entries(value).filter(([, one]) => one !== null);
  const [unknown] = given.map(([name]) => name).filter((name) => !['agent', ...fields].includes(name));
  if (unknown !== undefined)
    return invalid(`${JSON.stringify(unknown.slice(0, 100))} is no field of this request`);
  const { agent, ...rest } = Object.fromEntries(given);
  if (agent === undefined || agent === principal.agent) return { value: rest };
  const message = `the token is that of ${principal.agent}, and not of the agent that was named; leave agent out, or name ${principal.agent}`;
  return { rejection: reject(RejectionCode.FORBIDDEN, message) };
}

const invalid = (message: string): Outcome<never> => ({
  rejection: reject(RejectionCode.VALIDATION_ERROR, message),
});

function missing(
  c: HttpContext,
  { audit }: ServiceDependencies,
  { path }: Route,
  principal: Principal,
  scope: Scope,
): Response {
  const code = RejectionCode.FORBIDDEN;
  audit.authorizationFailed({ actor: principal, action: API_PATH + path, code });
  return apiError(c, 403, {
    code,
    message: `this needs the scope ${scope}, which the token does not have`,
    fix: "The server's operator can give out a token that has it",
    details: { requiredScope: scope },
  });
}

function unreadable(
  c: HttpContext,
  { status, message }: { status: 400 | 413 | 503; message: string },
): Response {
  if (status === 503) return noRoomAnswer(c, message);
  const code = status === 413 ? RejectionCode.PAYLOAD_TOO_LARGE : RejectionCode.VALIDATION_ERROR;
  return apiError(c, status, { code, message });
}

function refused(c: HttpContext, { code, message, details = {} }: Rejection, fix?: string): Response {
  const { retryAfterMs, ...others } = details;
  return apiError(c, REJECTION_STATUS[code].http as ContentfulStatusCode, {
    code,
    message,
    ...(fix !== undefined && { fix }),
    ...(Object.keys(others).length > 0 && { details: others }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  });
}
