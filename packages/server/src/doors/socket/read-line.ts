/** Reads one line from a socket and puts the bytes after it back for the next reader. */
import type { Socket } from 'node:net';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { BodyShare } from '../../services/body-budget.js';

export interface LineLimits {
  readonly maxBytes: number;
  /** Absent: no time limit. */
  readonly timeoutMs?: number;
  /** From the first byte on. */
  readonly unfinishedMs?: number;
  /** Where the line counts while it is not whole. */
  readonly share?: Pick<BodyShare, 'take' | 'release'>;
}

const NEWLINE = 0x0a;
const PIECE_BYTES = fixedLimits.mcpUnfinishedPieceBytes.value;

/** Undefined: the socket ended, the time was over, or the line was longer than allowed. */
export function readLine(socket: Socket, limits: LineLimits): Promise<string | undefined> {
  const { maxBytes, timeoutMs, unfinishedMs, share } = limits;
  return new Promise((resolve) => {
    const held: Buffer[] = [];
    let size = 0;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish(undefined), timeoutMs);
    let late: NodeJS.Timeout | undefined;
    const finish = (line: string | undefined) => {
      clearTimeout(timer);
      clearTimeout(late);
      share?.release();
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
      if (end < 0) {
        if (share && !share.take(Math.max(chunk.length, PIECE_BYTES))) finish(undefined);
        else if (unfinishedMs !== undefined) late ??= setTimeout(() => finish(undefined), unfinishedMs);
        return;
      }
      const rest = chunk.subarray(end + 1);
      finish(Buffer.concat(held, size).toString('utf8'));
      if (rest.length > 0) socket.unshift(rest);
    };
    socket.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onEnd);
    socket.resume();
  });
}
