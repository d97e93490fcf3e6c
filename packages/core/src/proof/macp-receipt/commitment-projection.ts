/** What a commitment hash covers, as JSON: made of the bytes of a Commitment, or read from a document. */
import type { Codec } from '../../envelope/codec.js';
import { corePayloads } from '../../envelope/core-payload-table.js';
import { payloadToJson } from '../../envelope/json/payload-json.js';
import { canonicalJson, type JsonObject } from '../../log/json.js';
import { isWellFormed } from '../../text.js';
import { flag, type Reader, shape, text, unreadable } from '../document.js';
import { onlyCommitmentFields } from './only-commitment-fields.js';

const LABEL = 'macp-commitment-hash/1';

/** Texts of which canonical JSON has exactly one spelling. */
const clean: Reader<string> = (value, path) => {
  const read = text(value, path);
  if (isWellFormed(read)) return read;
  throw unreadable(path, 'has half of a surrogate pair');
};

export const readProjection = shape(
  {
    action: clean,
    authority_scope: clean,
    commitment_id: clean,
    configuration_version: clean,
    mode_version: clean,
    outcome_positive: flag,
    policy_version: clean,
    reason: clean,
  },
  { supersedes: shape({ commitment_hash: clean, session_id: clean }, {}) },
);
export type CommitmentProjection = ReturnType<typeof readProjection>;

/** Undefined: the bytes are no Commitment, or hold something that the hash does not cover. */
export function projectionOf(payload: Uint8Array, codec: Codec): CommitmentProjection | undefined {
  if (!onlyCommitmentFields(payload)) return undefined;
  const commitment = codec.decode('Commitment', payload);
  if (!commitment) return undefined;
  return readProjection(payloadToJson(corePayloads.Commitment, commitment, codec), '');
}

export function projectionHash(projection: CommitmentProjection, codec: Codec): string {
  const canonical = canonicalJson(projection as unknown as JsonObject);
  return `sha256:${codec.sha256(codec.utf8(`${LABEL}:${canonical}`))}`;
}
