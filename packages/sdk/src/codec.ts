/** The one codec of the package: protobuf from wire, SHA-256 from Node. */
import { createHash } from 'node:crypto';
import type { Codec } from '@handover/core';
import { createCodec } from '@handover/wire';

export const codec: Codec = createCodec({
  sha256: (...parts) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  },
});
