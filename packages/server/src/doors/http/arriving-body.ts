/**
 * The pieces of a body, as they arrive. Node's own stream is read where there is one: a web stream over it copies every
 * piece, and what is copied must be collected.
 */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import type { HttpContext } from './http-types.js';
import { parseNoMore } from './pieces.js';

/** False: no more of it is wanted. */
export type TakePiece = (piece: Uint8Array) => boolean;

export interface Arriving {
  /** Fulfilled when the body is whole or no more of it is wanted; rejected when it breaks off. */
  readonly over: Promise<void>;
  stop(): void;
}

export function arriving(c: HttpContext, take: TakePiece): Arriving {
  const incoming = c.env?.incoming;
  return incoming && 'pause' in incoming ? fromNode(incoming as IncomingMessage, take) : fromWeb(c, take);
}

function fromNode(incoming: IncomingMessage, take: TakePiece): Arriving {
  let stop = () => {};
  const over = new Promise<void>((resolve, reject) => {
    const piece = (bytes: Uint8Array) => {
      if (!take(bytes)) stop();
    };
    const forget = finished(incoming, { writable: false }, (broken) => {
      incoming.off('data', piece);
      if (broken) reject(broken);
      else resolve();
    });
    stop = () => {
      forget();
      incoming.off('data', piece);
      // The rest is not even parsed: the answer closes the connection.
      incoming.pause();
      parseNoMore(incoming.socket);
      resolve();
    };
    incoming.on('data', piece);
  });
  return { over, stop };
}

/** For a request that came by no socket. */
function fromWeb(c: HttpContext, take: TakePiece): Arriving {
  const reader = c.req.raw.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  const read = async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || !value) return;
      if (!take(value)) return stop();
    }
  };
  return { over: read(), stop };
}
