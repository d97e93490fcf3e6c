/** StreamSession: the door authenticates the caller once, when the stream opens. It reads no frame before that. */
import { type handleBidiStreamingCall, Metadata } from '@grpc/grpc-js';
import type { DoorContext } from '../context.js';
import { SHUTTING_DOWN, statusOfFault } from '../errors.js';
import { listen } from '../listen.js';
import { Outgoing } from '../outgoing.js';
import { logFault } from '../unary.js';
import { SessionStream, type StreamCall } from './session-stream.js';

export function streamSessionMethod(context: DoorContext): handleBidiStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    void open(context, call);
  };
}

async function open(context: DoorContext, call: StreamCall): Promise<void> {
  const out = new Outgoing(call);
  let stream: SessionStream | undefined;
  const leave = context.live.enter(() => (stream ? stream.leave(SHUTTING_DOWN) : out.end(SHUTTING_DOWN)));
  call.on('cancelled', leave);
  const refusal = context.connections.enter(call);
  if (refusal) return out.end(refusal);
  try {
    const listening = await listen(context, call, out, () => out.reset());
    if (!listening) return;
    if ('code' in listening) return out.end(listening);
    // The caller learns that the stream is open before anything happens on it.
    call.sendMetadata(new Metadata());
    stream = new SessionStream(context, listening, call, out);
  } catch (thrown) {
    logFault(context.log, thrown);
    out.end(statusOfFault(thrown));
  }
}
