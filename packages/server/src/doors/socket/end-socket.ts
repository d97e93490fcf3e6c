import type { Socket } from 'node:net';
import { fixedLimits } from '../../config/fixed-limits.js';

/**
 * Ends a connection. What the client still sends is thrown away; one that takes nothing of what was written, or does not
 * close its side, is cut off.
 */
export function endSocket(socket: Socket, last = ''): void {
  if (socket.destroyed) return;
  const cutIn = (ms: number) => {
    const timer = setTimeout(() => socket.destroy(), ms).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  cutIn(fixedLimits.stalledStreamMs.value);
  socket.end(last, () => cutIn(fixedLimits.localLingerMs.value));
  // Only a stream that is read notices that the client has gone, too.
  socket.resume();
}
