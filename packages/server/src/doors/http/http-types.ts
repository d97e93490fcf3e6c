import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Cidr } from '../../config/cidr.js';
import type { Log } from '../../observe/log.js';
import type { BodyBudget, BodyShare } from '../../services/body-budget.js';
import type { MacpServices } from '../../services/macp/macp-services.js';

/** Node's request and response; absent when a test asks the app without a socket. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Set once the whole body is there: if the request times out after that, its outcome is unknown. */
    received?: boolean;
    /** Set while a body is not read to its end: the connection cannot be used again then. */
    unread?: boolean;
    /** It is one of the binding of the protocol, which refuses in a form of its own. */
    binding?: boolean;
    /** For the bytes of bodies. */
    budget: BodyBudget;
    /** Whose word about the address of a client is believed. */
    trustedProxy?: Cidr | undefined;
    /** What this request holds of it. */
    share?: BodyShare;
  };
}

/** The app on which other doors mount their routes, behind the same guards. */
export type HttpApp = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;

/** What the routes are given: the services that they call, and the log. */
export interface RouteDependencies extends MacpServices {
  readonly log: Log;
}
