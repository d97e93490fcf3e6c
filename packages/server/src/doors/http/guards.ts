/**
 * The checks that every request passes before any route, of this door or of another that is mounted on it.
 *
 * G1. Host and Origin must be on the allow-list, else 403 (`/health` and `/ready` take any address as the Host, too). So a
 *     page that rebinds a name to this address gets nothing. This matters most in dev mode, where a request needs no
 *     credential.
 * G2. A page of another site may link here and do nothing else: a request that a browser marks as cross-site is
 *     refused, unless it is a navigation or has an allowed Origin.
 * G3. A body must be JSON (or an envelope in protobuf) and uncompressed, else 415. An HTML form can send neither.
 *     The listener of metrics alone has a rule of its own for the Host (`metricsGuard`), and takes no Origin.
 * G4. A request line that names a host, as those to proxies do, names the one of its Host header, else 400: what judges a request by
 *     its address sees one name.
 * G5. Every answer carries the same headers; a route may set its own value. CORS headers are set for the pages of a
 *     Workbench alone (workbench.ts).
 */
import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { isLoopback } from '../../config/address.js';
import type { AllowList } from '../../config/allow-list.js';
import type { WorkbenchOrigins } from '../../config/workbench-origins.js';
import { httpError } from './errors.js';
import type { HttpContext, HttpEnv } from './http-types.js';
import { mediaTypeOf } from './media-type.js';
import type { RefusedHosts } from './refused-hosts.js';
import { workbenchOf } from './workbench.js';

/** Requests with one of these have a body. */
export const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Vary', 'Origin'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];
const HSTS = ['Strict-Transport-Security', 'max-age=63072000'] as const;

export function securityHeaders(tls: boolean): MiddlewareHandler<HttpEnv> {
  const headers = tls ? [...HEADERS, HSTS] : HEADERS;
  return async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  };
}

type Check = (c: HttpContext) => Response | undefined;

export interface GuardOptions {
  readonly allow: AllowList;
  /** For the operator, who may have forgotten a name. */
  readonly refused: RefusedHosts;
  /** Pages of other servers that may call some paths. */
  readonly workbench: WorkbenchOrigins;
}

export function guard(options: GuardOptions): MiddlewareHandler<HttpEnv> {
  return guardBy((c) => probedHostFlaw(c, options) ?? originFlaw(c, options) ?? siteFlaw(c) ?? bodyFlaw(c));
}

/** For the listener of metrics alone, which scrapers call by whatever name they know it. */
export function metricsGuard(options: GuardOptions): MiddlewareHandler<HttpEnv> {
  return guardBy((c) => pageFlaw(c) ?? rebindingFlaw(c, options) ?? siteFlaw(c) ?? bodyFlaw(c));
}

function guardBy(check: Check): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const refusal = targetFlaw(c) ?? check(c);
    if (refusal) return refusal;
    await next();
  };
}

function targetFlaw(c: HttpContext): Response | undefined {
  const target = c.env?.incoming?.url ?? '/';
  if (target.startsWith('/')) return undefined;
  const [, named] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (named !== undefined && named.toLowerCase() === c.req.header('host')?.toLowerCase()) return undefined;
  return httpError(c, 400, 'BAD_REQUEST', 'the request line names another host than the header Host');
}

const PROBED: ReadonlySet<string> = new Set(['/health', '/ready']);

/** Probes of clusters and balancers call by address. No page can: rebinding needs a name. */
function probedHostFlaw(c: HttpContext, options: GuardOptions): Response | undefined {
  return PROBED.has(c.req.path) && isFixedName(c.req.header('host') ?? '') ? undefined : hostFlaw(c, options);
}

function hostFlaw(c: HttpContext, { allow, refused }: GuardOptions): Response | undefined {
  const host = c.req.header('host');
  if (allow.host(host)) return undefined;
  refused.host(host);
  return httpError(
    c,
    403,
    'FORBIDDEN',
    'this server does not answer to that Host; see HANDOVER_ALLOWED_HOSTS',
  );
}

/**
 * Metrics are open on loopback, where a page could rebind a name of its own to this address. Rebinding needs a name that
 * its owner can point anywhere, so an address or `localhost` as the Host shows that it is none. A peer from elsewhere may use any name: it needs a credential, under TLS,
 * whose certificate has no name of somebody else's page.
 */
function rebindingFlaw(c: HttpContext, options: GuardOptions): Response | undefined {
  const peer = c.env?.incoming?.socket.remoteAddress;
  const fromElsewhere = peer !== undefined && !isLoopback(peer);
  return fromElsewhere || isFixedName(c.req.header('host') ?? '') ? undefined : hostFlaw(c, options);
}

function isFixedName(header: string): boolean {
  const host = header.toLowerCase().replace(/:[0-9]{1,5}$/, '');
  return host === 'localhost' || isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function pageFlaw(c: HttpContext): Response | undefined {
  if (c.req.header('origin') === undefined) return undefined;
  return httpError(c, 403, 'FORBIDDEN', 'pages may not read metrics');
}

function originFlaw(c: HttpContext, { allow, refused, workbench }: GuardOptions): Response | undefined {
  const origin = c.req.header('origin');
  if (allow.origin(origin) || workbenchOf(c, workbench) !== undefined) return undefined;
  refused.origin(origin);
  return httpError(c, 403, 'FORBIDDEN', 'pages of that Origin may not call; see HANDOVER_ALLOWED_ORIGINS');
}

function siteFlaw(c: HttpContext): Response | undefined {
  const crossSite = c.req.header('sec-fetch-site') === 'cross-site' && c.req.header('origin') === undefined;
  if (!crossSite || c.req.header('sec-fetch-mode') === 'navigate') return undefined;
  return httpError(c, 403, 'FORBIDDEN', 'pages of other sites may not call');
}

function bodyFlaw(c: HttpContext): Response | undefined {
  // It takes fewer media types, and refuses others without a body.
  if (c.get('binding')) return undefined;
  if (!BODY_METHODS.has(c.req.method)) return unwantedBody(c);
  const encoding = c.req.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return httpError(c, 415, 'UNSUPPORTED_MEDIA_TYPE', 'compressed bodies are not accepted');
  const contentType = c.req.header('content-type');
  if (contentType === undefined && hasNoBody(c)) return undefined;
  if (mediaTypeOf(contentType) !== undefined) return undefined;
  return httpError(c, 415, 'UNSUPPORTED_MEDIA_TYPE', 'send application/json');
}

/** Nobody would read it, and what nobody reads is kept. */
function unwantedBody(c: HttpContext): Response | undefined {
  if (hasNoBody(c)) return undefined;
  c.header('Connection', 'close');
  return httpError(c, 400, 'BAD_REQUEST', `a ${c.req.method} has no body`);
}

function hasNoBody(c: HttpContext): boolean {
  return c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) === 0;
}
