/** What is asked of the engine, and what it answers; both are typed by the kinds of stream that the steps name. */
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

/** Steps are decided in turn; one rejection stores nothing of them. */
export interface Submission<Ks extends Kinds = Kinds> {
  readonly agent: string;
  readonly steps: { readonly [I in keyof Ks]: Step<Ks[I]> };
  /** Streams that the decisions consult (registries). At most one of a kind. */
  readonly consult?: readonly StreamRef[];
  /** Streams to bring up to date without asking anything of them. */
  readonly touch?: readonly StreamRef[];
  /** The store's list says that the touched streams are due: write down what is true when they are not. */
  readonly refreshRows?: boolean;
  /** What the commands weigh, for the bound on the queue. */
  readonly bytes: number;
}

export interface StepResult<K extends StreamKind = StreamKind> {
  readonly decision: Extract<Decision, { kind: 'accepted' | 'duplicate' }>;
  readonly entries: readonly Entry[];
  /** The stream's state after the step (for a duplicate: now); undefined when nothing was appended to an unknown stream. */
  readonly state: StateOf<K> | undefined;
}

export type Answer<Ks extends Kinds = Kinds> =
  | { readonly ok: true; readonly results: { readonly [I in keyof Ks]: StepResult<Ks[I]> } }
  | {
      readonly ok: false;
      readonly rejection: Rejection /** Index of the step that said no. */;
      readonly step: number;
    };

export type Deciders = { readonly [K in StreamKind]?: DeciderOf<K> };

/** Inside the engine, states and commands are only moved about; each decider receives those of its own kind. */
export type AnyState = StateOf<StreamKind>;
export type AnyDecider = Decider<AnyState, CommandOf<StreamKind>>;
