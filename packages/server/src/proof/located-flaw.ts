import type { Flaw, StreamRef } from '@handover/core';

/** A flaw of a store: in which stream, where one can be named. */
export interface LocatedFlaw extends Flaw {
  readonly ref?: StreamRef;
}
