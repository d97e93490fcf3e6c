/**
 * The key under which handed-out secrets are hashed. Without it, nobody can test guesses against the stored hashes.
 * Made on first use, under the folder's lock, 0600, and never replaced: everything that was handed out depends on it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultCode, HandoverError } from '@handover/core';
import { writeFileAtomic } from '../platform/atomic-file.js';

const FILE = 'pepper.json';
const FORMAT = 'handover-pepper@1';
const BYTES = 32;

export const memoryPepper = (): Uint8Array => new Uint8Array(randomBytes(BYTES));

export function openPepper(folder: string): Uint8Array {
  const path = join(folder, FILE);
  if (!existsSync(path)) {
    const key = randomBytes(BYTES).toString('base64');
    writeFileAtomic(path, `${JSON.stringify({ format: FORMAT, key })}\n`);
  }
  return load(path);
}

function load(path: string): Uint8Array {
  try {
    const { format, key } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const bytes = Buffer.from(String(key), 'base64');
    if (format === FORMAT && bytes.length === BYTES) return new Uint8Array(bytes);
  } catch {
    // Without the cause: it would quote the key.
  }
  throw new HandoverError(
    FaultCode.CONFIGURATION,
    `the key file ${FILE} cannot be read; restore it from a backup`,
    {
      next: 'fatal',
    },
  );
}
