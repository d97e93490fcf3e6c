/** What a client tells its hook on stdin: bounded in bytes and in time. */
const MAX_BYTES = 1_048_576;

/** Undefined: there was too much, or it did not end in time. */
export function readStdin(input: NodeJS.ReadStream, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const end = (text: string | undefined) => {
      clearTimeout(late);
      input.removeAllListeners();
      // A pipe that stays open would keep this process.
      input.destroy();
      resolve(text);
    };
    const late = setTimeout(() => end(undefined), timeoutMs);
    input.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > MAX_BYTES) end(undefined);
    });
    input.on('end', () => end(Buffer.concat(pieces).toString('utf8')));
    input.on('error', () => end(undefined));
  });
}
