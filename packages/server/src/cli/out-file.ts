import { open } from 'node:fs/promises';
import { systemCause } from '../platform/system-cause.js';
import { refused } from './conventions/failure.js';
import type { OutFlags } from './conventions/flags.js';
import type { Output } from './conventions/output.js';

/** Writes to a file, or to stdout. A transcript holds what participants said: only its owner may read the file. */
export async function writeOut(
  pieces: AsyncIterable<string> | Iterable<string>,
  { out, force }: OutFlags,
  output: Output,
): Promise<void> {
  if (out === undefined) {
    for await (const piece of pieces) output.out(piece);
    return;
  }
  const file = await open(out, force ? 'w' : 'wx', 0o600).catch((cause: unknown) => {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (exists) throw refused(`${out} exists`, '--force overwrites it', cause);
    throw refused(`${out} cannot be written: ${systemCause(cause) ?? 'unknown error'}`, '', cause);
  });
  try {
    for await (const piece of pieces) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
