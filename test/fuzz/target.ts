/**
 * What all targets have in common.
 *
 * F1. A case comes from the target's name, the seed and its index alone. Cases of servers may name things that earlier
 *     cases made, by their place in the list of such things.
 * F2. An input is JSON, so that it can be kept as a seed and tried again later.
 * F3. `replay` says what is wrong with one input. It is also what finds the input in the first place.
 */
import type { Json } from './values/json.js';
import type { Random } from './values/random.js';

export type FlawKind =
  /** Something other than the documented outcome was thrown. */
  | 'threw'
  | 'slow'
  /** What was decoded does not encode to the same, or the other way round. */
  | 'unstable'
  | 'died'
  | 'unanswered'
  /** INTERNAL_ERROR, or its name at another door. */
  | 'internal'
  /** The server logged an error. */
  | 'logged'
  /** Something that was acknowledged is gone, or a well-behaved client is not served. */
  | 'canary'
  | 'memory'
  /** `handover verify` found a flaw. */
  | 'verify';

export interface Flaw {
  readonly kind: FlawKind;
  readonly what: string;
}

export interface Finding extends Flaw {
  readonly target: string;
  readonly seed: number;
  readonly index: number;
  readonly input: Json;
}

/** What a run may use up, and where it reports. */
export interface Budget {
  readonly isOpen: boolean;
  counted(cases?: number): void;
  found(index: number, flaw: Flaw, input: Json): void;
}

export interface Target {
  readonly name: string;
  /** Its share of the time, beside 1 of the others. */
  readonly weight?: number;
  /** What takes time before the first case. */
  open?(): Promise<void>;
  run(random: (index: number) => Random, budget: Budget): Promise<void>;
  replay(input: Json): Promise<Flaw | undefined>;
}

/** What two findings of one cause have in common: everything but numbers, ids and quoted texts. */
export function signatureOf({ kind, what }: Flaw): string {
  return `${kind} ${what.replace(/"[^"]*"|'[^']*'|[0-9a-f-]{8,}|\d+/gi, '#').slice(0, 160)}`;
}
