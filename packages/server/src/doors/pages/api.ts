/**
 * The API of the review pages (docs/reference/operations-api.md), mounted on the HTTP door behind its guards.
 *
 * O1. Who brings the right secret is admitted (admit.ts); everybody else gets one and the same 404, for unknown ids,
 *     malformed ids and ids that the secret does not open. GET changes nothing.
 * O2. No answer names a secret, no answer is cached.
 */
import { type Family, type Rejection, RejectionCode } from '@handover/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { wholeSeconds } from '../../services/macp/error-details.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import { POST_NAMES } from '../../services/operations/families/family.js';
import type { Found } from '../../services/operations/find.js';
import type { PostBody } from '../../services/operations/post-body.js';
import type { Outcome } from '../../services/outcome.js';
import type { HttpApp, HttpContext } from '../http/http-types.js';
import { REJECTION_STATUS } from '../status-table.js';
import { type Admission, type AdmissionDependencies, createAdmission, type Denial } from './admit.js';

export type OperationRouteDependencies = AdmissionDependencies;

/** Every answer is JSON text. */
type Handler = (found: Found, body: PostBody) => Promise<Outcome<Uint8Array>>;

export function operationRoutes(app: HttpApp, deps: OperationRouteDependencies): void {
  const { browser } = deps.operations;
  const admission = createAdmission(deps);
  for (const { rules, posts } of Object.values(FAMILY_SERVICES)) {
    const base = `/api/${rules.place}`;
    app.get(`${base}/:id`, (c) => serve(c, admission, rules.name, (found) => browser.get(found)));
    otherMethods(app, `${base}/:id`, 'GET, HEAD');
    for (const name of POST_NAMES.filter((one) => posts[one])) {
      const handler: Handler = (found, body) => browser.post(found, name, body);
      app.post(`${base}/:id/${name}`, (c) => serve(c, admission, rules.name, handler));
      otherMethods(app, `${base}/:id/${name}`, 'POST');
    }
    app.all(`${base}/*`, (c) => answer(c, 404));
  }
}

function otherMethods(app: HttpApp, path: string, allowed: string): void {
  app.all(path, (c) => {
    c.header('Allow', allowed);
    return answer(c, 405, `use ${allowed}`);
  });
}

async function serve(
  c: HttpContext,
  admission: Admission,
  family: Family,
  handler: Handler,
): Promise<Response> {
  const admitted = await admission.admit(c, family);
  if ('status' in admitted) return denied(c, admitted);
  const outcome = await handler(admitted.found, admitted.body);
  if ('rejection' in outcome) return refused(c, outcome.rejection);
  return c.body(outcome.value as Uint8Array<ArrayBuffer>, 200, { 'Content-Type': 'application/json' });
}

const KEYWORDS: Readonly<Record<number, string>> = {
  400: 'bad request',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  409: 'conflict',
  410: 'expired',
  413: 'payload too large',
  429: 'rate limited',
  503: 'unavailable',
};

function denied(c: HttpContext, { status, message, retryAfterMs }: Denial): Response {
  return retryAfterMs === undefined ? answer(c, status, message) : later(c, status, retryAfterMs, message);
}

function refused(c: HttpContext, { code, message, details }: Rejection): Response {
  const status = REJECTION_STATUS[code].http as ContentfulStatusCode;
  // Only the keyword: a stranger gets the same answer for every id.
  if (code === RejectionCode.OPERATION_NOT_FOUND) return answer(c, 404);
  const current = code === RejectionCode.CONFLICT && details ? { current: details } : {};
  // A refusal that names its wait.
  if (code === RejectionCode.RATE_LIMITED && typeof details?.retryAfterMs === 'number')
    return later(c, status, details.retryAfterMs, message);
  return c.json({ error: KEYWORDS[status] ?? 'unavailable', message, ...current }, status);
}

function later(
  c: HttpContext,
  status: ContentfulStatusCode,
  retryAfterMs: number,
  message?: string,
): Response {
  c.header('Retry-After', wholeSeconds(retryAfterMs));
  return c.json({ error: KEYWORDS[status], ...(message !== undefined && { message }), retryAfterMs }, status);
}

function answer(c: HttpContext, status: ContentfulStatusCode, message?: string): Response {
  return c.json({ error: KEYWORDS[status], ...(message !== undefined && { message }) }, status);
}
