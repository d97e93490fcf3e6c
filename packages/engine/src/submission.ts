/** What is asked of the engine, and what it answers. */
import type { Decider, Decision, Entry, Rejection, StreamKind, StreamRef } from '@handover/core';

/** One command for one stream, as its decider understands it. */
export interface Step {
  readonly stream: StreamRef;
  readonly command: unknown;
  /** The id under which a retry is recognised; absent: never a duplicate. */
  readonly messageId?: string;
}

/** Steps are decided in turn; one rejection stores nothing of them. */
export interface Submission {
  readonly agent: string;
  readonly steps: readonly Step[];
  /** Streams that the decisions consult (registries). At most one of a kind. */
  readonly consult?: readonly StreamRef[];
  /** Streams to bring up to date without asking anything of them. */
  readonly touch?: readonly StreamRef[];
  /** The store's list says that the touched streams are due: write down what is true when they are not. */
  readonly refreshRows?: boolean;
  /** What the commands weigh, for the bound on the queue. */
  readonly bytes: number;
}

export interface StepResult {
  readonly decision: Extract<Decision, { kind: 'accepted' | 'duplicate' }>;
  readonly entries: readonly Entry[];
  /** The stream's state after the step (for a duplicate: now). */
  readonly state: unknown;
}

export type Answer =
  | { readonly ok: true; readonly results: readonly StepResult[] }
  | {
      readonly ok: false;
      readonly rejection: Rejection /** Index of the step that said no. */;
      readonly step: number;
    };

/** A decider whose types are its own business; the engine only moves states and commands about. */
export type AnyDecider = Decider<unknown, unknown>;
export type Deciders = Readonly<Partial<Record<StreamKind, AnyDecider>>>;

// Each decider only ever receives commands and states of its own kind: submissions name the stream's kind.
export function eraseDecider<State, Command>(decider: Decider<State, Command>): AnyDecider {
  return decider as unknown as AnyDecider;
}
