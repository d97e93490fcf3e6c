import { closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 64 * 1024;

/** The whole of a file; undefined when it has more than so many bytes. A device may have no end at all. */
export function readBounded(path: string, maxBytes: number): string | undefined {
  const pieces: Buffer[] = [];
  const file = openSync(path, 'r');
  try {
    for (let size = 0; size <= maxBytes; ) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const read = readSync(file, piece);
      if (read === 0) return Buffer.concat(pieces).toString('utf8');
      size += read;
      pieces.push(piece.subarray(0, read));
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
