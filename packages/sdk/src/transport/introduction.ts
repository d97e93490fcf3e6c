/**
 * A further connection says whose it is before its streams begin. A runtime gives connections without a credential little
 * room, all of them together, and many streams that begin at once are more than that: it cuts them off.
 */
import { type Client, InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { encodeMessage, methods } from '@handover/wire';
import { grpcOptions } from './call-options.js';

const LONGEST_MS = 10_000;

export interface Introduction {
  /** Resolves when the runtime has answered, whatever the answer, or has not in time. */
  readonly over: Promise<void>;
  cancel(): void;
}

/** A call that any runtime answers, with the credential of the streams to come. */
export function introduce(channel: Client, metadata: Metadata): Introduction {
  const { path, input } = methods.initialize;
  const request = Buffer.from(encodeMessage(input, { supportedProtocolVersions: ['1.0'] }));
  const same = (bytes: Buffer) => bytes;
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    const answered = () => resolve();
    const options = grpcOptions(LONGEST_MS);
    const call = channel.makeUnaryRequest(path, same, same, request, metadata, options, answered);
    cancel = () => call.cancel();
  });
  return { over, cancel };
}

/** Lets calls wait. One that is cancelled meanwhile never begins. */
export const after =
  (introduction: Promise<void>): Interceptor =>
  (options, nextCall) => {
    let state: 'waiting' | 'begun' | 'cancelled' = 'waiting';
    let cancelled = () => {};
    return new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        const details = 'Cancelled on client';
        cancelled = () =>
          listener.onReceiveStatus({ code: status.CANCELLED, details, metadata: new Metadata() });
        void introduction.then(() => {
          if (state === 'cancelled') return;
          state = 'begun';
          next(metadata, listener);
        });
      },
      cancel(next) {
        if (state === 'begun') return next();
        state = 'cancelled';
        cancelled();
      },
    });
  };
