import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Log } from '../../observe/log.js';
import type { RuntimeParts } from '../../services/dependencies.js';
import type { Registries } from '../../services/macp/registries.js';
import type { SendPipeline } from '../../services/macp/send.js';
import type { Sessions } from '../../services/macp/sessions.js';

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

/** What this door translates to. */
export interface HttpRuntime {
  readonly parts: RuntimeParts;
  readonly send: SendPipeline;
  readonly sessions: Sessions;
  readonly registries: Registries;
}

export interface RouteParts extends HttpRuntime {
  readonly log: Log;
}
