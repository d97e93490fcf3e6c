/** Fires when one of them does. */
export function either(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}
