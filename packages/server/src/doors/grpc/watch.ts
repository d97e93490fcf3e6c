/**
 * Server streams: what a watch hears is written to the call, no faster than the peer reads. A cancelled call aborts the
 * watch's signal at once, and the watch ends.
 */
import { type handleServerStreamingCall, Metadata, type ServerWritableStream } from '@grpc/grpc-js';
import { decodeMessage } from '@handover/wire';
import type { WatchRpc } from '../../services/macp/rpc/watches.js';
import { onceForEach } from '../once-for-each.js';
import type { DoorContext } from './context.js';
import { MALFORMED, MAX_REQUEST_BYTES, REQUEST_TOO_LARGE, SHUTTING_DOWN, statusOfFault } from './errors.js';
import { listen } from './listen.js';
import { Outgoing } from './outgoing.js';
import { logFault } from './unary.js';

type Call = ServerWritableStream<Uint8Array, Uint8Array>;
type WatchHandler = handleServerStreamingCall<Uint8Array, Uint8Array>;

export function watchMethod(context: DoorContext, { encode, ...rpc }: WatchRpc): WatchHandler {
  const watch = { ...rpc, encode: onceForEach(encode) };
  return (call) => {
    const abort = new AbortController();
    const out = new Outgoing(call);
    const leave = context.live.enter(() => {
      out.end(SHUTTING_DOWN);
      abort.abort();
    });
    call.on('cancelled', () => {
      leave();
      abort.abort();
    });
    const refusal = context.connections.enter(call);
    if (refusal) return out.end(refusal);
    if (call.request.length > MAX_REQUEST_BYTES) return out.end(REQUEST_TOO_LARGE);
    if (decodeMessage(watch.input, call.request) === undefined) return out.end(MALFORMED);
    void pump(context, call, out, abort, watch);
  };
}

async function pump(
  context: DoorContext,
  call: Call,
  out: Outgoing,
  abort: AbortController,
  watch: Pick<WatchRpc, 'open' | 'encode'>,
): Promise<void> {
  try {
    const listening = await listen(context, call, out, (fault, abrupt) => {
      if (abrupt) out.reset();
      else out.end(statusOfFault(fault));
      abort.abort();
    });
    if (!listening) return;
    if ('code' in listening) return out.end(listening);
    // Tells the caller that the watch was accepted, before the first event.
    call.sendMetadata(new Metadata());
    for await (const heard of watch.open(listening.principal, listening.listener, abort.signal)) {
      const frame = watch.encode(heard);
      await out.ready();
      if (out.ended) return;
      out.write(frame);
    }
    // A watch never ends by itself: the generator ended because its source has closed.
    out.end(SHUTTING_DOWN);
  } catch (thrown) {
    if (!out.ended) logFault(context.log, thrown);
    out.end(statusOfFault(thrown));
  }
}
