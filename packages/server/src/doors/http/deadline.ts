/**
 * Every request has a deadline. A request whose body is not complete by then gets 408: nothing has happened. A request
 * with a complete body, or one that has none, gets 503: the command may be on its way to the log, and the client tries
 * again with the same message id. The binding of the protocol says INTERNAL_ERROR to both. An event stream is answered at once, so the deadline does not end it.
 */
import { FaultCode, HandoverError, RejectionCode } from '@handover/core';
import type { MiddlewareHandler } from 'hono';
import type { Log } from '../../observe/log.js';
import { bindingError } from './binding/errors.js';
import { faultAnswer, httpError } from './errors.js';
import { BODY_METHODS } from './guards.js';
import type { HttpContext, HttpEnv } from './http-types.js';

const LATE =
  'no answer in time (MACP_REQUEST_TIMEOUT_SECS); whether it was stored is not known: send it again with the same message_id';

export function deadline(ms: number, log: Log): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), ms);
      timer.unref();
    });
    const isLate = await Promise.race([next(), late]);
    clearTimeout(timer);
    return isLate === true ? lateAnswer(c, log) : undefined;
  };
}

function lateAnswer(c: HttpContext, log: Log): Response {
  if (c.get('binding')) {
    if (!c.get('received')) c.header('Connection', 'close');
    return bindingError(c, { code: RejectionCode.INTERNAL_ERROR, message: LATE });
  }
  if (!BODY_METHODS.has(c.req.method) || c.get('received'))
    return faultAnswer(c, new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'no answer in time'), log);
  c.header('Connection', 'close');
  return httpError(c, 408, 'REQUEST_TIMEOUT', 'the body did not arrive in time (MACP_REQUEST_TIMEOUT_SECS)');
}
