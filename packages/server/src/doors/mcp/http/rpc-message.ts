import { isFields } from '@handover/core';

/** A posted message, as far as the door looks at it before the SDK does. */
export interface RpcMessage {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: { readonly [key: string]: unknown };
}

export function isRpcMessage(body: unknown): body is RpcMessage {
  return isFields(body) && typeof body.method === 'string';
}
