import { open } from 'node:fs/promises';
import { FaultCode, HandoverError } from '@handover/core';
import type { Output } from './audit-command.js';

export interface OutOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** Writes to a file, or to stdout. A transcript holds what participants said: only its owner may read the file. */
export async function writeOut(
  pieces: AsyncIterable<string> | Iterable<string>,
  { out, force }: OutOptions,
  output: Output,
): Promise<void> {
  if (out === undefined) {
    for await (const piece of pieces) output.out(piece);
    return;
  }
  const file = await open(out, force ? 'w' : 'wx', 0o600).catch((cause: unknown) => {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const why = exists ? 'exists; --force overwrites it' : 'cannot be written';
    throw new HandoverError(FaultCode.CONFIGURATION, `${out} ${why}`, { cause });
  });
  try {
    for await (const piece of pieces) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
