/** The HTTP door without its sockets: guards first, then the routes, then 405 and 404 for the rest. */
import { Hono, type MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Configuration } from '../../config/configuration.js';
import type { BodyBudget } from '../../services/body-budget.js';
import { bindingPaths, isBelow } from './binding/paths.js';
import { bindingRoutes } from './binding/routes.js';
import { deadline } from './deadline.js';
import { faultAnswer, httpError } from './errors.js';
import type { EventStreams } from './event-streams.js';
import { guard, metricsGuard, securityHeaders } from './guards.js';
import type { HttpApp, HttpContext, HttpEnv, RouteDependencies } from './http-types.js';
import type { RefusedHosts } from './refused-hosts.js';
import { envelopeRoutes } from './routes/envelope.js';
import { eventRoutes } from './routes/events.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoute } from './routes/metrics.js';
import { sessionRoutes } from './routes/sessions.js';
import { wellKnownRoutes } from './routes/well-known.js';
import { workbenchHeaders, workbenchPreflight } from './workbench.js';

export type HttpConfiguration = Pick<
  Configuration,
  'http' | 'tls' | 'metricsAddress' | 'limits' | 'forAssistants' | 'operations' | 'mcp'
>;

export interface AppOptions {
  readonly route: RouteDependencies;
  readonly configuration: HttpConfiguration;
  readonly streams: EventStreams;
  readonly isDraining: () => boolean;
  /** For the bodies of all requests together. */
  readonly budget: BodyBudget;
  readonly refusedHosts: RefusedHosts;
  readonly mount?: (app: HttpApp) => void;
}

/** Every path of this door and the methods that it takes. Any other method on these paths gets 405. */
const METHODS: Readonly<Record<string, string>> = {
  '/macp/envelope': 'POST',
  '/macp/session/start': 'POST',
  '/macp/session': 'GET, HEAD',
  '/macp/session/:id': 'GET, HEAD',
  '/macp/session/:id/cancel': 'POST',
  '/macp/session/:id/suspend': 'POST',
  '/macp/session/:id/resume': 'POST',
  '/macp/session/:id/events': 'GET, HEAD',
  '/.well-known/macp.json': 'GET, HEAD',
  '/.well-known/handover-keys.json': 'GET, HEAD',
  '/health': 'GET, HEAD',
  '/ready': 'GET, HEAD',
  '/metrics': 'GET, HEAD',
};

export function createApp(options: AppOptions): HttpApp {
  const { route, configuration, streams, isDraining, mount } = options;
  const app = guardedApp(options, guard(guardOptions(options)));
  if (configuration.forAssistants) {
    healthRoutes(app, route, isDraining);
    mount?.(app);
    refuseOtherMethods(app, [
      ['/health', 'GET, HEAD'],
      ['/ready', 'GET, HEAD'],
    ]);
    return app;
  }
  envelopeRoutes(app, route);
  sessionRoutes(app, route);
  eventRoutes(app, route, streams);
  bindingRoutes(app, route, streams, bindingPaths(configuration.mcp.publicBaseUrl));
  wellKnownRoutes(app, route);
  healthRoutes(app, route, isDraining);
  metricsRoute(app, route.deps, configuration.http.trustedProxy);
  mount?.(app);
  refuseOtherMethods(app, Object.entries(METHODS));
  return app;
}

/** The app of the separate listener for metrics. */
export function createMetricsApp(options: AppOptions): HttpApp {
  const { route } = options;
  const app = guardedApp(options, metricsGuard(guardOptions(options)));
  // No proxy stands before this listener; what is passed on does not count as local in any case.
  metricsRoute(app, route.deps, undefined);
  refuseOtherMethods(app, [['/metrics', 'GET, HEAD']]);
  return app;
}

function guardOptions({ configuration, refusedHosts }: AppOptions) {
  const { http, operations } = configuration;
  return { allow: http.allow, refused: refusedHosts, workbench: operations.workbenchOrigins };
}

function guardedApp(
  { route, configuration, isDraining, budget }: AppOptions,
  guarded: MiddlewareHandler<HttpEnv>,
): HttpApp {
  const { log, deps } = route;
  const { tls, limits, http } = configuration;
  const app: HttpApp = new Hono<HttpEnv>();
  app.onError((thrown, c) => faultAnswer(c, thrown, log));
  app.notFound((c) => httpError(c, 404, 'NOT_FOUND', 'there is nothing at this address'));
  app.use(async (c, next) => {
    deps.loop.entered(routeOf(c));
    await next();
    deps.metrics.answered(c.res.status);
  });
  const paths = configuration.forAssistants ? [] : bindingPaths(configuration.mcp.publicBaseUrl);
  app.use(async (c, next) => {
    if (isBelow(paths, c.req.path)) c.set('binding', true);
    await next();
  });
  const { workbenchOrigins } = configuration.operations;
  app.use(securityHeaders(tls !== undefined), workbenchHeaders(workbenchOrigins), guarded);
  app.use(workbenchPreflight(workbenchOrigins), deadline(limits.requestTimeoutMs, log));
  app.use(async (c, next) => {
    c.set('budget', budget);
    c.set('trustedProxy', http.trustedProxy);
    await next().finally(() => c.get('share')?.release());
    if (c.get('unread')) c.res.headers.set('Connection', 'close');
  });
  app.use(async (c, next) => {
    await next();
    // A connection that stays open would keep the server from closing.
    if (isDraining()) c.res.headers.set('Connection', 'close');
  });
  return app;
}

/** The pattern, not the address: an address may hold an id. */
function routeOf(c: HttpContext): string {
  const path = matchedRoutes(c).find((route) => !route.path.endsWith('*'))?.path;
  return `http ${c.req.method} ${path ?? 'unknown'}`;
}

function refuseOtherMethods(
  app: HttpApp,
  paths: readonly (readonly [path: string, allowed: string])[],
): void {
  for (const [path, allowed] of paths)
    app.all(path, (c) => {
      c.header('Allow', allowed);
      return httpError(c, 405, 'METHOD_NOT_ALLOWED', `use ${allowed}`);
    });
}
