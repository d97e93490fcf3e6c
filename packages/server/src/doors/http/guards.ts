/**
 * The checks that every request passes before any route, of this door or of another that is mounted on it.
 *
 * G1. Host and Origin must be on the allow-list, else 403. So a page that rebinds a name to this address gets nothing.
 *     This matters most in dev mode, where a request needs no credential.
 * G2. A page of another site may link here and do nothing else: a request that a browser marks as cross-site is
 *     refused, unless it is a navigation or has an allowed Origin.
 * G3. A body must be JSON (or an envelope in protobuf) and uncompressed, else 415. An HTML form can send neither.
 * G4. Every answer carries the same headers; a route may set its own value. No CORS header is ever set.
 */
import type { MiddlewareHandler } from 'hono';
import type { AllowList } from '../../config/allow-list.js';
import { httpError } from './errors.js';
import type { HttpContext, HttpEnv } from './http-types.js';
import { mediaTypeOf } from './media-type.js';

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

export function guard(allow: AllowList): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const refusal = hostFlaw(c, allow) ?? siteFlaw(c) ?? bodyFlaw(c);
    if (refusal) return refusal;
    await next();
  };
}

function hostFlaw(c: HttpContext, allow: AllowList): Response | undefined {
  if (!allow.host(c.req.header('host')))
    return httpError(
      c,
      403,
      'FORBIDDEN',
      'this server does not answer to that Host; see HANDOVER_ALLOWED_HOSTS',
    );
  if (!allow.origin(c.req.header('origin')))
    return httpError(c, 403, 'FORBIDDEN', 'pages of that Origin may not call; see HANDOVER_ALLOWED_ORIGINS');
  return undefined;
}

function siteFlaw(c: HttpContext): Response | undefined {
  const crossSite = c.req.header('sec-fetch-site') === 'cross-site' && c.req.header('origin') === undefined;
  if (!crossSite || c.req.header('sec-fetch-mode') === 'navigate') return undefined;
  return httpError(c, 403, 'FORBIDDEN', 'pages of other sites may not call');
}

function bodyFlaw(c: HttpContext): Response | undefined {
  if (!BODY_METHODS.has(c.req.method)) return undefined;
  const encoding = c.req.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return httpError(c, 415, 'UNSUPPORTED_MEDIA_TYPE', 'compressed bodies are not accepted');
  const contentType = c.req.header('content-type');
  if (contentType === undefined && hasNoBody(c)) return undefined;
  if (mediaTypeOf(contentType) !== undefined) return undefined;
  return httpError(c, 415, 'UNSUPPORTED_MEDIA_TYPE', 'send application/json');
}

function hasNoBody(c: HttpContext): boolean {
  return c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) === 0;
}
