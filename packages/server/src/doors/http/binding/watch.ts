/** A watch: what its caller may see, as events. */
import { FaultCode, HandoverError } from '@handover/core';
import { JsonInParts, messageToJson } from '@handover/wire';
import { LongWork } from '../../../platform/long-work.js';
import type { WatchRpc } from '../../../services/macp/rpc/watches.js';
import { onceForEach } from '../../once-for-each.js';
import { logFault } from '../errors.js';
import type { EventStreams } from '../event-streams.js';
import { EVENT_STREAM } from '../follow-session.js';
import type { HttpContext, RouteDependencies } from '../http-types.js';
import { refusalAnswer } from './errors.js';
import { messageIn, readKnown } from './request.js';
import { messageEvent } from './sse.js';
import { WatchEvents } from './watch-events.js';

/** What is no fault of the server. */
const OF_LISTENERS: ReadonlySet<string> = new Set([FaultCode.STREAM_LAGGED, FaultCode.CREDENTIAL_EXPIRED]);

export type EventWriter = (heard: unknown) => Promise<Buffer>;

export function eventWriter({ output, encode, parts }: WatchRpc): EventWriter {
  return onceForEach(async (heard) => {
    if (!parts) return messageEvent(messageToJson(output, encode(heard)) ?? '');
    const { items, rest } = parts(heard);
    const work = new LongWork();
    const json = new JsonInParts(output);
    for (const item of items) {
      json.add(item);
      await work.did(item.length);
    }
    return messageEvent([...json.pieces(rest)].join(''));
  });
}

export async function answerWatch(
  c: HttpContext,
  route: RouteDependencies,
  streams: EventStreams,
  rpc: WatchRpc,
  write: EventWriter,
): Promise<Response> {
  const asked = await readKnown(c, route, true);
  if (asked instanceof Response) return asked;
  const bytes = messageIn(c, rpc.input, asked.body);
  if (bytes instanceof Response) return bytes;
  const { deps, log } = route;
  let events: WatchEvents | undefined;
  const disconnect = () => void c.env?.outgoing?.destroy();
  const admitted = deps.listeners.admit(asked.caller, (fault, abrupt) => {
    if (abrupt || !events) disconnect();
    else events.fail(fault);
  });
  if ('rejection' in admitted) return refusalAnswer(c, admitted.rejection);
  const { value: listener } = admitted;
  const abort = new AbortController();
  const heard = written(rpc.open(asked.caller, listener, abort.signal), write);
  const leave = () => {
    abort.abort();
    void heard.return(undefined).catch(() => {});
    listener.leave();
  };
  // A client may be gone before anybody reads the body; then nobody would end the watch.
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const onFault = (thrown: unknown) => {
    const fault = HandoverError.from(thrown);
    if (!OF_LISTENERS.has(fault.code)) logFault(log, fault);
  };
  events = new WatchEvents({ listener, events: heard, onFault, leave, disconnect }, streams);
  return c.body(new ReadableStream(events), 200, EVENT_STREAM);
}

async function* written(heard: AsyncGenerator<unknown>, write: EventWriter): AsyncGenerator<Buffer> {
  for await (const one of heard) yield await write(one);
}
