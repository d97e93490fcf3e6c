/**
 * No request waits for ever. Before its body is whole nothing has happened: 408. Afterwards the command may be on its
 * way to the log: 503, and the client comes again with the same message id. A stream of events is answered at once and
 * not bounded by this.
 */
import { FaultCode, HandoverError } from '@handover/core';
import type { MiddlewareHandler } from 'hono';
import type { Log } from '../../observe/log.js';
import { faultAnswer, httpError } from './errors.js';
import type { HttpContext, HttpEnv } from './http-types.js';

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
  if (c.req.method === 'GET' || c.get('received'))
    return faultAnswer(c, new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'no answer in time'), log);
  c.header('Connection', 'close');
  return httpError(c, 408, 'REQUEST_TIMEOUT', 'the body did not arrive in time');
}
