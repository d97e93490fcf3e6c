/** Reads the outcome of a call of a service: its value or its code. */
import type { Rejection } from '@handover/core';

type Outcome<T> = { readonly value: T } | { readonly rejection: Pick<Rejection, 'code' | 'message'> };

/** The value of an outcome; throws when it is a rejection. */
export function accepted<T>(outcome: Outcome<T>): T {
  if ('rejection' in outcome) throw new Error(`${outcome.rejection.code}: ${outcome.rejection.message}`);
  return outcome.value;
}

export function codeOf(outcome: Outcome<unknown>): string {
  return 'rejection' in outcome ? outcome.rejection.code : 'ok';
}

export const ok = async <T>(outcome: Promise<Outcome<T>>): Promise<T> => accepted(await outcome);
export const code = async (outcome: Promise<Outcome<unknown>>): Promise<string> => codeOf(await outcome);
