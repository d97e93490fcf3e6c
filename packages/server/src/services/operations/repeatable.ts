import type { Json } from '@handover/core';

interface Repeatable {
  readonly idempotencyKey?: string;
  readonly replaces?: string;
}

/** What the arguments of a create tool say about earlier calls. `instead`: small stands for large arguments. */
export function repeatable(
  args: Repeatable,
  instead: object = {},
): { readonly replaces?: string; readonly request?: Json } {
  const { idempotencyKey, ...rest } = args;
  const { replaces } = rest;
  return {
    ...(replaces !== undefined && { replaces }),
    ...(idempotencyKey !== undefined && {
      request: JSON.parse(JSON.stringify({ ...rest, ...instead })) as Json,
    }),
  };
}
