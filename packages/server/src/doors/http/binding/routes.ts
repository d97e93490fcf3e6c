/**
 * The HTTP binding of the protocol, macp.transport.http.v1 (docs/spec/macp-http.md 17): POST {base}/macp/v1/{Method} for
 * every RPC of the service, bodies in the JSON of the protocol. Which RPCs there are is the descriptor's, what they do is
 * the services': an RPC that is added to both needs nothing here.
 */
import { type MethodKey, methods } from '@handover/wire';
import type { UnaryKey, WatchKey } from '../../../services/macp/rpc/rpc.js';
import { createRpcs } from '../../../services/macp/rpc/rpcs.js';
import type { EventStreams } from '../event-streams.js';
import type { HttpApp, HttpContext, RouteDependencies } from '../http-types.js';
import { OneForEach } from '../one-for-each.js';
import { hasBody } from './request.js';
import { answerSend } from './send.js';
import { answerStreamSession } from './stream-session.js';
import { answerUnary } from './unary.js';
import { answerWatch, eventWriter } from './watch.js';

type Answer = (c: HttpContext) => Promise<Response>;

export function bindingRoutes(
  app: HttpApp,
  route: RouteDependencies,
  streams: EventStreams,
  paths: readonly string[],
): void {
  const answers = new Map(
    Object.entries(answersOf(route, streams)).map(([key, answer]) => [
      methods[key as MethodKey].name,
      answer,
    ]),
  );
  for (const path of paths) {
    app.all(`${path}/:method`, async (c) => {
      const name = c.req.param('method');
      const answer = answers.get(name);
      if (answer && c.req.method === 'POST') {
        route.deps.loop.entered(`http ${name}`);
        return answer(c);
      }
      c.set('unread', hasBody(c));
      return answer ? c.body(null, 405, { Allow: 'POST' }) : c.body(null, 404);
    });
    for (const other of [path, `${path}/*`])
      app.all(other, (c) => {
        c.set('unread', hasBody(c));
        return c.body(null, 404);
      });
  }
}

function answersOf(route: RouteDependencies, streams: EventStreams): Readonly<Record<MethodKey, Answer>> {
  const { unary, watches } = createRpcs(route);
  const lists = new OneForEach();
  const answers: Partial<Record<MethodKey, Answer>> = {
    send: (c) => answerSend(c, route),
    streamSession: (c) => answerStreamSession(c, route, streams),
  };
  for (const key of Object.keys(unary) as UnaryKey[]) {
    const inTurn = key.startsWith('list') ? lists : undefined;
    answers[key] = (c) => answerUnary(c, route, unary[key], inTurn);
  }
  for (const key of Object.keys(watches) as WatchKey[]) {
    const write = eventWriter(watches[key]);
    answers[key] = (c) => answerWatch(c, route, streams, watches[key], write);
  }
  return answers as Record<MethodKey, Answer>;
}
