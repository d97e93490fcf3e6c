import type { Json, JsonObject } from '@handover/core';

/** The document that is kept of an operation. */
export interface TransactionDocument {
  readonly type: string;
  readonly network: string;
  readonly chainId: number;
  readonly summary: JsonObject;
  readonly payload: Json;
  readonly validation?: Json;
  readonly policy: JsonObject;
  readonly steps: readonly {
    readonly id: string;
    readonly kind: string;
    readonly label: string;
    readonly txRequest?: JsonObject;
  }[];
}
