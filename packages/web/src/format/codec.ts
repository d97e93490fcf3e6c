/** What core needs of the platform to read and write texts in calldata. */
import type { TextCodec } from '@handover/core';

export const codec: TextCodec = {
  utf8: (text) => new TextEncoder().encode(text),
  text: (bytes) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  },
};
