/**
 * Whoever reads the output may leave early, as `head` does. What is written then is lost and that is all: a command goes
 * on to its end, so that its exit code says what it always does, and a server stays.
 */
import type { Writable } from 'node:stream';

export function surviveLostReaders(outputs: readonly Writable[] = [process.stdout, process.stderr]): void {
  for (const output of outputs)
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
