/** Programs of the clients. They are run without a shell, for a bounded time, and what they print is bounded, too. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../../config/setting-reader.js';

const PATIENCE_MS = 20_000;
const MAX_OUTPUT_BYTES = 262_144;
const MAX_SAID = 400;

/** Relative folders of PATH are left out: the project's files would be run. */
export function findProgram(name: string, { PATH = '' }: Environment): string | undefined {
  const folders = PATH.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface ProgramEnd {
  readonly ok: boolean;
  /** The last it printed, for people. */
  readonly said: string;
}

export function runProgram(path: string, args: readonly string[]): ProgramEnd {
  const { status, error, stdout, stderr } = spawnSync(path, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: 'SIGKILL',
  });
  const printed = (stderr || stdout || '').trim().slice(-MAX_SAID);
  if (error)
    return { ok: false, said: 'code' in error && error.code === 'ETIMEDOUT' ? 'it did not end' : printed };
  return { ok: status === 0, said: printed || `it ended with ${status}` };
}
