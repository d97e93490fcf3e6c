/** What the results of families share. */
import { isFields, operationConflict, operationFlaw } from '@handover/core';
import { refusedPost } from '../key-refusal.js';
import type { ReadPost } from './family.js';

/** A secret in the body has already been checked. It is not part of the result. */
export function withoutSecret(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { secret: _secret, ...plain } = body;
  return plain;
}

/** Results may be as large as what they answer, so the documents are looked at wherever they can be. */
export const readPostedResult: ReadPost = async (deps, record, body) => {
  const { state } = record;
  const derived = await deps.documents.derive(record, 'readResult', { family: state.family, state }, body);
  if ('rejection' in derived) return derived;
  const { value: read } = derived;
  if ('flaw' in read) return { rejection: operationFlaw(read.flaw) };
  if ('key' in read) return { rejection: refusedPost(deps, read.key) };
  if ('conflict' in read) return { rejection: operationConflict(state, read.conflict) };
  return { value: { kind: 'result', ...read } };
};
