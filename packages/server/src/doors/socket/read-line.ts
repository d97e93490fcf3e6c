/** Reads one line from a socket and puts the bytes after it back for the next reader. */
import type { Socket } from 'node:net';

export interface LineLimits {
  readonly maxBytes: number;
  /** Absent: no time limit. */
  readonly timeoutMs?: number;
}

const NEWLINE = 0x0a;

/** Undefined: the socket ended, the time was over, or the line was longer than allowed. */
export function readLine(socket: Socket, { maxBytes, timeoutMs }: LineLimits): Promise<string | undefined> {
  return new Promise((resolve) => {
    const held: Buffer[] = [];
    let size = 0;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish(undefined), timeoutMs);
    const finish = (line: string | undefined) => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
      resolve(line);
    };
    const onEnd = () => finish(undefined);
    const onData = (chunk: Buffer) => {
      const end = chunk.indexOf(NEWLINE);
      size += end < 0 ? chunk.length : end;
      if (size > maxBytes) return finish(undefined);
      held.push(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return;
      const rest = chunk.subarray(end + 1);
      finish(Buffer.concat(held, size).toString('utf8'));
      if (rest.length > 0) socket.unshift(rest);
    };
    socket.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onEnd);
    socket.resume();
  });
}
