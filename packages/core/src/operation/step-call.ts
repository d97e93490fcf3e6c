/**
 * What a step asks of the chain, in short. It stands among the facts, so that a receipt can name what was asked for though
 * the payload may be erased one day.
 */
import { isFields } from '../fields.js';
import type { Json } from '../log/json.js';

export const CallKind = {
  /** Coins, and nothing else. */
  Transfer: 'transfer',
  Call: 'call',
  Creation: 'creation',
  /** A contract of a bundle. */
  Rule: 'xrc137',
  Orchestration: 'xrc729',
  Session: 'session',
} as const;
export type CallKind = (typeof CallKind)[keyof typeof CallKind];

export interface StepCall {
  readonly kind: CallKind;
  /** Who gets it, or which contract is called; absent: a new one is made. Lowercase. */
  readonly to?: string;
  /** Coins that go with it, decimal, in the smallest unit. */
  readonly value?: string;
  /** The whole calldata where it is short, else its digest. */
  readonly data?: string;
  readonly dataDigest?: string;
}

export function callFacts({ kind, to, value, data, dataDigest }: StepCall) {
  return {
    kind,
    ...(to !== undefined && { to }),
    ...(value !== undefined && { value }),
    ...(data !== undefined && { data }),
    ...(dataDigest !== undefined && { data_digest: dataDigest }),
  };
}

export function callFromFacts(facts: Json | undefined): StepCall | undefined {
  if (!isFields(facts)) return undefined;
  const kind = Object.values(CallKind).find((one) => one === facts.kind);
  if (!kind) return undefined;
  const { to, value, data, data_digest } = facts;
  return {
    kind,
    ...(typeof to === 'string' && { to }),
    ...(typeof value === 'string' && { value }),
    ...(typeof data === 'string' && { data }),
    ...(typeof data_digest === 'string' && { dataDigest: data_digest }),
  };
}
