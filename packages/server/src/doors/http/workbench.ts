/**
 * CORS for pages of a Workbench on another server (review:H6). Only the origins that the operator has named get these
 * headers, only under the paths that are theirs, and never with credentials of the browser's own: there are none.
 */
import type { MiddlewareHandler } from 'hono';
import { isWorkbench, type WorkbenchOrigins } from '../../config/workbench-origins.js';
import type { HttpContext, HttpEnv } from './http-types.js';

/** The origin of an allowed page that calls; undefined: any other caller. */
export function workbenchOf(c: HttpContext, origins: WorkbenchOrigins): string | undefined {
  const origin = c.req.header('origin');
  return origin !== undefined && isWorkbench(origins, c.req.path, origin) ? origin : undefined;
}

/** Stands before the guards, so that the page can read their refusals, too. */
export function workbenchHeaders(origins: WorkbenchOrigins): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const origin = workbenchOf(c, origins);
    if (origin !== undefined) c.res.headers.set('Access-Control-Allow-Origin', origin);
  };
}

/** Stands behind the guards. */
export function workbenchPreflight(origins: WorkbenchOrigins): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (c.req.method !== 'OPTIONS' || workbenchOf(c, origins) === undefined) return next();
    return c.body(null, 204, {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'authorization, content-type',
      'Access-Control-Max-Age': '600',
    });
  };
}
