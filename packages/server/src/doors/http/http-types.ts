import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Log } from '../../observe/log.js';
import type { MacpServices } from '../../services/macp/macp-services.js';

/** Node's request and response; absent when a test asks the app without a socket. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Set once the whole body is there: from then on a time-out leaves the outcome open. */
    received?: boolean;
  };
}

/** The app on which other doors mount their routes, behind the same guards. */
export type HttpApp = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;

/** What the routes translate to. */
export interface RouteDependencies extends MacpServices {
  readonly log: Log;
}
