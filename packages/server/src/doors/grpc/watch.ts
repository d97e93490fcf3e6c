/**
 * Server streams: the frames that a generator yields are written to the call, no faster than the peer reads. A
 * cancelled call aborts the generator's signal at once, and the generator ends.
 */
import { type handleServerStreamingCall, Metadata, type ServerWritableStream } from '@grpc/grpc-js';
import { type DescMessage, decodeMessage } from '@handover/wire';
import type { Principal } from '../../auth/principal.js';
import { authenticateCall, type DoorContext } from './context.js';
import {
  MALFORMED,
  MAX_REQUEST_BYTES,
  REQUEST_TOO_LARGE,
  SHUTTING_DOWN,
  type Status,
  statusOfFault,
  statusOfRejection,
} from './errors.js';
import { Outgoing } from './outgoing.js';
import { logFault } from './unary.js';

type Call = ServerWritableStream<Uint8Array, Uint8Array>;
export type WatchHandler = handleServerStreamingCall<Uint8Array, Uint8Array>;
/** Encoded responses. */
export type Frames = AsyncGenerator<Uint8Array>;
type Open = (call: Call, signal: AbortSignal) => Frames | Status | Promise<Frames | Status>;

export function openWatch(
  context: DoorContext,
  input: DescMessage,
  frames: (signal: AbortSignal) => Frames,
): WatchHandler {
  return handler(context, input, (_, signal) => frames(signal));
}

export function authenticatedWatch(
  context: DoorContext,
  input: DescMessage,
  frames: (principal: Principal, signal: AbortSignal) => Frames,
): WatchHandler {
  return handler(context, input, async (call, signal) => {
    const known = await authenticateCall(context, call);
    return 'rejection' in known ? statusOfRejection(known.rejection) : frames(known.value, signal);
  });
}

function handler(context: DoorContext, input: DescMessage, open: Open): WatchHandler {
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
    if (call.request.length > MAX_REQUEST_BYTES) return out.end(REQUEST_TOO_LARGE);
    if (decodeMessage(input, call.request) === undefined) return out.end(MALFORMED);
    void pump(context, call, out, abort.signal, open);
  };
}

async function pump(
  { log }: DoorContext,
  call: Call,
  out: Outgoing,
  signal: AbortSignal,
  open: Open,
): Promise<void> {
  try {
    const frames = await open(call, signal);
    if ('code' in frames) return out.end(frames);
    // Tells the caller that the watch was accepted, before the first event.
    call.sendMetadata(new Metadata());
    for await (const frame of frames) {
      out.write(frame);
      await out.ready();
      if (out.ended) return;
    }
    // A watch never ends by itself: the generator ended because its source has closed.
    out.end(SHUTTING_DOWN);
  } catch (thrown) {
    if (!out.ended) logFault(log, thrown);
    out.end(statusOfFault(thrown));
  }
}
