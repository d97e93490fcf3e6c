import { type StreamRef, streamKey } from '@handover/core';
import type { ReceiptStore } from './store.js';

/** Receipts of streams, kept in memory. It passes the same contract suite as every store. */
export function createMemoryReceipts(): ReceiptStore {
  /** By stream, then by format. */
  const texts = new Map<string, Map<string, string>>();
  const ofStream = (stream: StreamRef) => texts.get(streamKey(stream)) ?? new Map<string, string>();
  return {
    async put(stream, format, text) {
      const kept = ofStream(stream);
      const first = kept.get(format) ?? text;
      texts.set(streamKey(stream), kept.set(format, first));
      return first;
    },
    async find(stream, format) {
      return ofStream(stream).get(format);
    },
    async remove(stream) {
      texts.delete(streamKey(stream));
    },
  };
}
