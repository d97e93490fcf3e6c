import { Effect } from '@handover/core';

/** What became of another request for the same; it follows "which". */
export function sameWords(effect: Effect): string {
  switch (effect) {
    case Effect.Done:
      return 'was paid';
    case Effect.Exceeded:
      return 'was paid more than once';
    case Effect.Partial:
      return 'was paid in part';
    case Effect.Different:
      return 'has moved something else than was asked';
    case Effect.Unknown:
      return 'may have been paid';
    case Effect.None:
      return 'can still be signed';
  }
}
