/** StreamSession: the door authenticates the caller once, when the stream opens. It reads no frame before that. */
import { type handleBidiStreamingCall, Metadata } from '@grpc/grpc-js';
import { authenticateCall, type DoorContext } from '../context.js';
import { SHUTTING_DOWN, statusOfFault, statusOfRejection } from '../errors.js';
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
  try {
    const known = await authenticateCall(context, call);
    if ('rejection' in known) return out.end(statusOfRejection(known.rejection));
    if (out.ended) return;
    // The caller learns that the stream is open before anything happens on it.
    call.sendMetadata(new Metadata());
    stream = new SessionStream(context, known.value, call, out);
  } catch (thrown) {
    logFault(context.log, thrown);
    out.end(statusOfFault(thrown));
  }
}
