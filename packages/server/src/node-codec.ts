/** The one codec of the process: protobuf from wire, SHA-256 from Node. */
import { createHash } from 'node:crypto';
import type { Codec } from '@handover/core';
import { createCodec } from '@handover/wire';

export const nodeCodec: Codec = createCodec({ sha256 });

function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
