/**
 * The API of the review pages (docs/reference/operations-api.md), mounted on the HTTP door behind its guards.
 *
 * O1. The secret comes in `Authorization: Handoff <secret>`. `?k=` and `secret` in a body count only if the setting
 *     for query secrets is on. A browser never sends the secret by itself: there is no cookie, and a page of another
 *     site cannot set the header.
 * O2. Unknown ids, malformed ids and ids that the secret does not open get one and the same 404. GET changes nothing.
 * O3. The order of the checks: address rate, id, handle rate, body, secret, the rest. No answer names a secret, no
 *     answer is cached.
 */
import { type Family, familyOfId, isFields, type Rejection, RejectionCode } from '@handover/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RateLimiter } from '../../auth/rate-limiter.js';
import { createRateLimiter, RateBucket } from '../../auth/rate-limiter.js';
import type { Cidr } from '../../config/cidr.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import { wholeSeconds } from '../../services/macp/error-details.js';
import type { Asked } from '../../services/operations/browser-service.js';
import { MAX_RECORD_BYTES } from '../../services/operations/dependencies.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import { POST_NAMES } from '../../services/operations/families/family.js';
import type { Operations } from '../../services/operations/operations.js';
import type { Outcome } from '../../services/outcome.js';
import { parseJson, readBody } from '../http/body.js';
import { clientAddress } from '../http/client-address.js';
import type { HttpApp, HttpContext } from '../http/http-types.js';
import { REJECTION_STATUS } from '../status-table.js';

export interface OperationRouteDependencies {
  readonly deps: Pick<ServiceDependencies, 'codec'>;
  readonly operations: Operations;
  readonly trustedProxy?: Cidr;
  readonly monotonicNow: () => number;
}

/** The largest body of a status or of progress. A result may be as large as the record that it answers. */
const MAX_STATUS_BYTES = 256 * 1024;

type Handler = (asked: Asked, body: unknown) => Promise<Outcome<object>>;

export function operationRoutes(app: HttpApp, deps: OperationRouteDependencies): void {
  const { browser, settings } = deps.operations;
  // The limiter's bucket for session starts counts requests per handle, its bucket for messages those per address.
  const limiter = createRateLimiter({
    sessionStartsPerMinute: settings.perHandlePerMinute,
    messagesPerMinute: settings.perAddressPerMinute,
    now: deps.monotonicNow,
  });
  for (const { rules, posts } of Object.values(FAMILY_SERVICES)) {
    const base = `/api/${rules.place}`;
    app.get(`${base}/:id`, (c) => serve(c, deps, limiter, rules.name, (asked) => browser.get(asked)));
    otherMethods(app, `${base}/:id`, 'GET, HEAD');
    for (const name of POST_NAMES.filter((one) => posts[one])) {
      const handler: Handler = (asked, body) => browser.post(asked, name, body);
      app.post(`${base}/:id/${name}`, (c) => serve(c, deps, limiter, rules.name, handler));
      otherMethods(app, `${base}/:id/${name}`, 'POST');
    }
    app.all(`${base}/*`, (c) => answer(c, 404, 'not found'));
  }
}

function otherMethods(app: HttpApp, path: string, allowed: string): void {
  app.all(path, (c) => {
    c.header('Allow', allowed);
    return answer(c, 405, 'method not allowed', `use ${allowed}`);
  });
}

async function serve(
  c: HttpContext,
  deps: OperationRouteDependencies,
  limiter: RateLimiter,
  family: Family,
  handler: Handler,
): Promise<Response> {
  const { address = 'unknown' } = clientAddress(c, deps.trustedProxy);
  const byAddress = limiter.check({ tenant: 'address', agent: address }, RateBucket.MESSAGE);
  if (!byAddress.allowed) return tooMany(c, byAddress.retryAfterMs);
  const id = c.req.param('id') ?? '';
  if (familyOfId(id) !== family) return answer(c, 404, 'not found');
  const byHandle = limiter.check({ tenant: 'handle', agent: id }, RateBucket.SESSION_START);
  if (!byHandle.allowed) return tooMany(c, byHandle.retryAfterMs);
  const body = await bodyOf(c, deps);
  if ('refusal' in body) return body.refusal;
  const secret = secretOf(c, body.value, deps.operations.settings.querySecrets);
  const outcome = await handler({ family, id, ...(secret !== undefined && { secret }) }, body.value);
  return 'rejection' in outcome ? refused(c, outcome.rejection) : c.json(outcome.value);
}

async function bodyOf(
  c: HttpContext,
  { deps }: OperationRouteDependencies,
): Promise<{ readonly value: unknown } | { readonly refusal: Response }> {
  if (c.req.method !== 'POST') return { value: undefined };
  const read = await readBody(c, c.req.path.endsWith('/result') ? MAX_RECORD_BYTES : MAX_STATUS_BYTES);
  if ('rejection' in read) return { refusal: answer(c, 413, 'payload too large', read.rejection.message) };
  const parsed = parseJson(read.value, deps.codec);
  if ('rejection' in parsed) return { refusal: answer(c, 400, 'bad request', 'invalid json') };
  return parsed;
}

const SCHEME = /^Handoff ([A-Za-z0-9_-]{20,200})$/;

function secretOf(c: HttpContext, body: unknown, query: boolean): string | undefined {
  const header = SCHEME.exec(c.req.header('authorization') ?? '')?.[1];
  if (header !== undefined || !query) return header;
  const given = c.req.query('k') ?? (isFields(body) ? body.secret : undefined);
  return typeof given === 'string' && given !== '' ? given : undefined;
}

const KEYWORDS: Readonly<Record<number, string>> = {
  400: 'bad request',
  403: 'forbidden',
  404: 'not found',
  409: 'conflict',
  410: 'expired',
  413: 'payload too large',
  429: 'rate limited',
  503: 'unavailable',
};

function refused(c: HttpContext, { code, message, details }: Rejection): Response {
  const status = REJECTION_STATUS[code].http as ContentfulStatusCode;
  // Only the keyword: a stranger gets the same answer for every id.
  if (code === RejectionCode.OPERATION_NOT_FOUND) return answer(c, 404, 'not found');
  const current = code === RejectionCode.CONFLICT && details ? { current: details } : {};
  // A refusal that names its wait.
  if (code === RejectionCode.RATE_LIMITED && typeof details?.retryAfterMs === 'number')
    return tooMany(c, details.retryAfterMs, message);
  return c.json({ error: KEYWORDS[status] ?? 'unavailable', message, ...current }, status);
}

function tooMany(c: HttpContext, retryAfterMs: number, message?: string): Response {
  c.header('Retry-After', wholeSeconds(retryAfterMs));
  return c.json({ error: 'rate limited', ...(message !== undefined && { message }), retryAfterMs }, 429);
}

function answer(c: HttpContext, status: ContentfulStatusCode, error: string, message?: string): Response {
  return c.json({ error, ...(message !== undefined && { message }) }, status);
}
