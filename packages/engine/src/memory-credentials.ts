import { type StreamRef, streamKey } from '@handover/core';
import type { CredentialRecord, CredentialStore } from './store.js';

/** Credentials without a disk; the same contract as every driver's. */
export function createMemoryCredentials(assertOpen: () => void): CredentialStore {
  let records: readonly CredentialRecord[] = [];
  const change = (stream: StreamRef, over: Partial<CredentialRecord>) => {
    const key = streamKey(stream);
    records = records.map((record) => (streamKey(record.stream) === key ? { ...record, ...over } : record));
  };
  return {
    async put(record) {
      assertOpen();
      records = [...records, record];
    },
    async find(kind, id) {
      assertOpen();
      return records.filter(({ stream }) => stream.kind === kind && stream.id === id);
    },
    async revoke(stream) {
      assertOpen();
      change(stream, { revoked: true, sealed: null });
    },
    async erase(stream) {
      assertOpen();
      change(stream, { sealed: null });
    },
    async purge(upTo) {
      assertOpen();
      const before = records.length;
      records = records.filter(({ expiresAt }) => expiresAt > upTo);
      return before - records.length;
    },
  };
}
