/** What a service answers: a value, or a rejection. Faults are thrown instead. */
import type { Rejection } from '@handover/core';

export interface Refused {
  readonly rejection: Rejection;
}

export interface Done<T> {
  readonly value: T;
  /** The request was carried out before, under the same idempotency key. */
  readonly replayed?: boolean;
}

export type Outcome<T> = Done<T> | Refused;

/** The same outcome with another value. A rejection and the mark `replayed` pass through. */
export function mapOutcome<A, B>(outcome: Outcome<A>, change: (value: A) => B): Outcome<B> {
  return 'rejection' in outcome ? outcome : { ...outcome, value: change(outcome.value) };
}
