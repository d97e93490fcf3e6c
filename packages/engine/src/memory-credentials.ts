import { type StreamKind, type StreamRef, streamKey } from '@handover/core';
import type { CredentialRecord, CredentialStore } from './store.js';

/** The secrets of review links, kept in memory. It passes the same contract suite as every store. */
export function createMemoryCredentials(): CredentialStore {
  /** By kind and id. */
  const records = new Map<string, readonly CredentialRecord[]>();
  const placeOf = ({ kind, id }: { readonly kind: StreamKind; readonly id: string }) => `${kind}/${id}`;
  const change = (stream: StreamRef, over: Partial<CredentialRecord>) => {
    const place = placeOf(stream);
    const changed = (records.get(place) ?? []).map((record) =>
      streamKey(record.stream) === streamKey(stream) ? { ...record, ...over } : record,
    );
    if (changed.length > 0) records.set(place, changed);
  };
  const ofStream = (stream: StreamRef) =>
    (records.get(placeOf(stream)) ?? []).filter((record) => streamKey(record.stream) === streamKey(stream));
  const add = (record: CredentialRecord) => {
    const place = placeOf(record.stream);
    records.set(place, [...(records.get(place) ?? []), record]);
  };
  return {
    async put(record) {
      add(record);
    },
    async putWithin(record, most) {
      if (ofStream(record.stream).filter(({ rights }) => rights === record.rights).length >= most)
        return false;
      add(record);
      return true;
    },
    async remove(stream, hash) {
      const gone = ofStream(stream).find((record) => record.hash === hash);
      const left = (records.get(placeOf(stream)) ?? []).filter((record) => record !== gone);
      if (left.length > 0) records.set(placeOf(stream), left);
      else records.delete(placeOf(stream));
    },
    async find(kind, id) {
      return records.get(placeOf({ kind, id })) ?? [];
    },
    async revoke(stream) {
      change(stream, { revoked: true, sealed: null });
    },
    async erase(stream) {
      change(stream, { sealed: null });
    },
    async purge(upTo) {
      let removed = 0;
      for (const [place, kept] of records) {
        const left = kept.filter(({ expiresAt }) => expiresAt > upTo);
        removed += kept.length - left.length;
        if (left.length > 0) records.set(place, left);
        else records.delete(place);
      }
      return removed;
    },
  };
}
