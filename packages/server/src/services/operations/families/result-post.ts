/** What the results of families share. */
import {
  canonicalJson,
  isFields,
  type JsonObject,
  type OperationCommand,
  type OperationStatus,
} from '@handover/core';
import type { OperationDependencies } from '../dependencies.js';
import { documentBytes } from '../document.js';

/** A secret in the body has already been checked. It is not part of the result. */
export function withoutSecret(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { secret: _secret, ...plain } = body;
  return plain;
}

export function resultCommand(
  { codec }: Pick<OperationDependencies, 'codec'>,
  document: JsonObject,
  outcome: OperationStatus,
): Extract<OperationCommand, { readonly kind: 'result' }> {
  const digest = `sha256:${codec.sha256(codec.utf8(canonicalJson(document)))}`;
  return { kind: 'result', outcome, digest, payload: documentBytes(codec, document) };
}
