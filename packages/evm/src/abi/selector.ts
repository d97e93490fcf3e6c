import { keccak256 } from 'ox/Hash';
import { fromString } from 'ox/Hex';

/** First four bytes of the hash of a canonical signature, without 0x. */
export function selectorOf(canonical: string): string {
  return keccak256(fromString(canonical)).slice(2, 10);
}
