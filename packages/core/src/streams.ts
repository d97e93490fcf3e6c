/**
 * The kinds of stream and their types: which state a kind has, and which commands it understands. Everything between a
 * service and a decider is typed by this map, so a command of the wrong kind does not compile.
 *
 * `Step` and `StreamRef` are unions over the kinds, not interfaces with a kind inside, so that a comparison of `kind`
 * narrows the rest.
 */
import type { CarrierCommand, CarrierState } from './carrier/carrier-decider.js';
import type { ConfigurationCommand, ConfigurationState } from './configuration/state.js';
import type { Decider } from './decider.js';
import type { StreamKind, StreamRef } from './log/entry.js';
import type { OperationCommand } from './operation/command.js';
import type { StoredOperation } from './operation/operation-decider.js';
import type { ModesCommand, ModesState } from './registry/modes.js';
import type { PoliciesCommand, PoliciesState } from './registry/policies.js';
import type { SessionCommand } from './session/command.js';
import type { SessionState } from './session/state.js';
import type { WorklogCommand } from './worklog/command.js';
import type { WorklogState } from './worklog/state.js';

export interface StreamTypes {
  readonly session: { readonly state: SessionState; readonly command: SessionCommand };
  readonly worklog: { readonly state: WorklogState; readonly command: WorklogCommand };
  readonly operation: { readonly state: StoredOperation; readonly command: OperationCommand };
  readonly carrier: { readonly state: CarrierState; readonly command: CarrierCommand };
  readonly policies: { readonly state: PoliciesState; readonly command: PoliciesCommand };
  readonly modes: { readonly state: ModesState; readonly command: ModesCommand };
  readonly configuration: { readonly state: ConfigurationState; readonly command: ConfigurationCommand };
}

export type StateOf<K extends StreamKind> = StreamTypes[K]['state'];
export type CommandOf<K extends StreamKind> = StreamTypes[K]['command'];
export type DeciderOf<K extends StreamKind> = Decider<StateOf<K>, CommandOf<K>> & { readonly kind: K };

/** One command for one stream, as its decider understands it. */
export type Step<K extends StreamKind = StreamKind> = {
  readonly [P in K]: {
    readonly stream: StreamRef<P>;
    readonly command: CommandOf<P>;
    /** The id under which a retry is recognised; absent: never a duplicate. */
    readonly messageId?: string;
  };
}[K];

/** A command for another stream, decided and stored together with the entry that caused it. */
export type Reaction<K extends StreamKind = StreamKind> = {
  readonly [P in K]: { readonly stream: StreamRef<P>; readonly command: CommandOf<P> };
}[K];

/**
 * What a decision may see of other streams, by kind. Of a working session it is the owner alone: replay has no more of
 * it, so a rule that needs another field must not compile before replay can supply that field.
 */
export type Consulted = {
  readonly [K in StreamKind]?: (K extends 'worklog' ? Pick<WorklogState, 'owner'> : StateOf<K>) | undefined;
};
