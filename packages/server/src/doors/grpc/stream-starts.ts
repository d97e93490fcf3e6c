/**
 * Streams of HTTP/2, handed to grpc-js in slices. A client can send the headers of two thousand calls in one packet, and
 * each costs grpc-js work before anybody is asked.
 * A stream counts before it waits for its turn.
 *
 * grpc-js offers no way to put one of its streams off, but the method that takes them can be replaced. Where it cannot,
 * streams begin at once; a test notices.
 */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { Slices } from '../../platform/slices.js';
import type { Connections } from './connections/connections.js';

type Take = (interceptors: unknown, stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

const UNKNOWN = '';

export function startInSlices(server: Server, connections: Connections): void {
  const taking = server as unknown as { _streamHandler?: Take };
  const take = taking._streamHandler?.bind(server);
  if (!take) return;
  const slices = new Slices(fixedLimits.grpcCallsPerTurn.value);
  taking._streamHandler = (interceptors, stream, headers) => {
    // It may be reset before grpc-js listens for that.
    stream.on('error', ignored);
    if (!connections.begin(stream)) return;
    // So may its end: Node says it of a stream without data as soon as it has come, whether or not anybody listens.
    let hasEnded = false;
    stream.once('end', () => {
      hasEnded = true;
    });
    slices.begin(
      () => connectionOf(stream),
      1,
      () => {
        if (stream.destroyed) return;
        take(interceptors, stream, headers);
        if (hasEnded) stream.emit('end');
      },
    );
  };
}

function connectionOf({ session }: ServerHttp2Stream): string {
  return session?.socket ? `${session.socket.remoteAddress}:${session.socket.remotePort}` : UNKNOWN;
}

function ignored(): void {}
