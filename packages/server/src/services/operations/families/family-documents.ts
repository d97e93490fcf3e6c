/**
 * What follows from the documents of a record, for each family: how it is shown, and what a posted result comes to.
 *
 * Everything here is pure and takes documents that are parsed already, so that it can run beside the rest of the server
 * for small documents, and in the thread for large ones.
 */
import type { Family, JsonObject, OperationState, OperationStatus } from '@handover/core';
import type { AnyView, CommonView } from '@handover/evm';

/** What the log holds of a record. */
export interface Documents {
  readonly created: JsonObject;
  readonly result?: JsonObject;
  /** What a page has posted just now. */
  readonly posted?: unknown;
}

/** What a view needs besides the documents. */
export interface ViewContext {
  readonly state: OperationState;
  readonly common: Omit<CommonView, 'network'>;
  readonly events: readonly JsonObject[];
  /** False: only metadata. */
  readonly full: boolean;
}

export type ResultReading =
  | { readonly flaw: string }
  | { readonly conflict: string }
  | { readonly document: JsonObject; readonly outcome: OperationStatus };

export interface FamilyDocuments {
  /** No view ever holds a URL, a secret or its hash. */
  view(documents: Documents, context: ViewContext): AnyView;
  /** The view with what was sealed for the holder of the secret; absent: this family seals nothing. */
  unsealed?(view: JsonObject, sealed: unknown): JsonObject;
  /** What a posted result comes to; absent: this family has none. */
  readResult?(documents: Documents, state: OperationState): ResultReading;
}

export type FamilyDocumentTable = Readonly<Record<Family, FamilyDocuments>>;

export const networkOf = ({ network }: JsonObject): string => (typeof network === 'string' ? network : '');
