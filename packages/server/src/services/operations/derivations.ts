/**
 * Everything that is ever worked out from the documents of a record, by name, so that it can be asked of the thread for
 * large documents as well as done on the spot. Both do it by these functions.
 *
 * What they return is small in number of values, or bytes: it may have to cross from one thread to the other.
 */
import { canonicalJson, type Family, type OperationState, type OperationStatus } from '@handover/core';
import type { AnyView } from '@handover/evm';
import { type FoundKey, findKeyMaterial } from '@handover/evm/key-material';
import { nodeCodec } from '../../platform/node-codec.js';
import { documentBytes } from './document.js';
import { storedDiagram } from './families/bundle-deploy/diagram.js';
import { deployedContracts, plannedDeployment } from './families/bundle-deploy/documents.js';
import { asJson } from './families/common-view.js';
import { FAMILY_DOCUMENTS } from './families/document-table.js';
import type { Documents, ViewContext } from './families/family-documents.js';
import { permitEnd, startedSessions } from './families/session-start/documents.js';
import { prepareFromArtifact } from './families/session-start/prepare.js';
import { transactionRequest } from './families/transaction/documents.js';

export interface ViewParameters {
  readonly family: Family;
  readonly context: ViewContext;
  /** What was sealed for the holder of the secret. */
  readonly sealed?: unknown;
}

export type ReadResult =
  | { readonly flaw: string }
  | { readonly conflict: string }
  | { readonly key: FoundKey }
  | { readonly payload: Uint8Array; readonly digest: string; readonly outcome: OperationStatus };

export const DERIVATIONS = {
  /** For small documents only: it is as large as they are. */
  view,
  /** The same as JSON text. */
  viewJson: (documents: Documents, parameters: ViewParameters): Uint8Array =>
    documentBytes(nodeCodec, view(documents, parameters)),
  readResult,
  transactionRequest,
  plannedDeployment,
  deployedContracts,
  startedSessions,
  permitEnd,
  storedDiagram,
  prepareFromArtifact,
} as const;

export type DerivationName = keyof typeof DERIVATIONS;
export type DerivationParameters<N extends DerivationName> = Parameters<(typeof DERIVATIONS)[N]>[1];
export type Derived<N extends DerivationName> = ReturnType<(typeof DERIVATIONS)[N]>;

/** The table itself cannot be called by a name that is not known before the program runs. */
export const derive = <N extends DerivationName>(
  name: N,
  documents: Documents,
  parameters: DerivationParameters<N>,
): Derived<N> =>
  (DERIVATIONS[name] as (documents: Documents, parameters: DerivationParameters<N>) => Derived<N>)(
    documents,
    parameters,
  );

function view(documents: Documents, { family, context, sealed }: ViewParameters): AnyView {
  const rules = FAMILY_DOCUMENTS[family];
  const shown = rules.view(documents, context);
  if (sealed === undefined || !rules.unsealed) return shown;
  return rules.unsealed(asJson(shown), sealed) as unknown as AnyView;
}

function readResult(
  documents: Documents,
  { family, state }: { readonly family: Family; readonly state: OperationState },
): ReadResult {
  const reading = FAMILY_DOCUMENTS[family].readResult?.(documents, state);
  if (!reading) return { flaw: 'there are no results here' };
  if (!('document' in reading)) return reading;
  const { document, outcome } = reading;
  const key = findKeyMaterial(document, nodeCodec);
  if (key) return { key };
  const digest = `sha256:${nodeCodec.sha256(nodeCodec.utf8(canonicalJson(document)))}`;
  return { payload: documentBytes(nodeCodec, document), digest, outcome };
}
