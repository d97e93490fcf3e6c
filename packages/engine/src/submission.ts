/** What callers ask of the engine and what it answers. Both types follow the kinds of stream that the steps name. */
import type {
  CommandOf,
  Decider,
  DeciderOf,
  Decision,
  Entry,
  Rejection,
  StateOf,
  Step,
  StreamKind,
  StreamRef,
} from '@handover/core';

/** The kinds of stream that the steps of a submission name, in order. */
export type Kinds = readonly StreamKind[];

/** The engine decides the steps in order. If one step is rejected, none of them is stored. */
export interface Submission<Ks extends Kinds = Kinds> {
  readonly agent: string;
  readonly steps: { readonly [I in keyof Ks]: Step<Ks[I]> };
  /** Streams that the decisions consult (registries). At most one of a kind. */
  readonly consult?: readonly StreamRef[];
  /** Streams that are only ticked: they get no command. */
  readonly touch?: readonly StreamRef[];
  /**
   * Writes the rows of the touched streams even when nothing was appended. For streams that the store listed as due: if
   * they are not, their rows are out of date.
   */
  readonly refreshRows?: boolean;
  /** The size of the commands, counted against the limit of the queue. */
  readonly bytes: number;
  /**
   * Refuse with this whatever would be stored. A repeated message still gets the answer of the first one, and what the
   * rules refuse is refused by them.
   */
  readonly refuseNew?: Rejection;
}

export interface StepResult<K extends StreamKind = StreamKind> {
  readonly decision: Extract<Decision, { kind: 'accepted' | 'duplicate' }>;
  readonly entries: readonly Entry[];
  /** The stream's state after the step (for a duplicate: now); undefined when the stream still has no entries. */
  readonly state: StateOf<K> | undefined;
}

export type Answer<Ks extends Kinds = Kinds> =
  | { readonly ok: true; readonly results: { readonly [I in keyof Ks]: StepResult<Ks[I]> } }
  | {
      readonly ok: false;
      readonly rejection: Rejection;
      /** Index of the step that was rejected. */
      readonly step: number;
    };

export type Deciders = { readonly [K in StreamKind]?: DeciderOf<K> };

/** The engine passes states and commands on without looking into them. Each decider receives those of its own kind. */
export type AnyState = StateOf<StreamKind>;
export type AnyDecider = Decider<AnyState, CommandOf<StreamKind>>;
