import { type CommitmentPayload, commitmentHash as hashOfBytes } from '@handover/core';
import { codec } from '../codec.js';

/** The canonical hash of a Commitment, by which a later one can supersede it and a receipt names it. */
export function commitmentHash(commitment: CommitmentPayload): string;
/** The same of its bytes as they crossed; undefined when they hold something that the hash does not cover. */
export function commitmentHash(payload: Uint8Array): string | undefined;
export function commitmentHash(commitment: CommitmentPayload | Uint8Array): string | undefined {
  const bytes = commitment instanceof Uint8Array ? commitment : codec.encode('Commitment', commitment);
  return hashOfBytes(bytes, codec);
}
