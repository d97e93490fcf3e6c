/**
 * What a mode is: the state machine inside a session. A new mode is one folder that implements this and one line in
 * registry.ts. The session decider does everything that is the same for all modes (membership, duplicates, lifecycle,
 * commitment authority and the generic commitment checks) and asks the mode for the rest.
 */
import type { Codec } from '../envelope/codec.js';
import type { Envelope } from '../envelope/envelope.js';
import type { CommitmentPayload, SessionStartPayload } from '../envelope/payloads.js';
import type { Draft, EntryHead } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import type { PolicyRules, RulesReading } from '../policy/rules.js';
import type { Rejection } from '../rejection.js';

export interface ModeDescriptor {
  readonly mode: string;
  readonly modeVersion: string;
  readonly title: string;
  readonly description: string;
  readonly determinismClass: string;
  readonly participantModel: string;
  readonly messageTypes: readonly string[];
  readonly terminalMessageTypes: readonly string[];
  readonly schemaUris: Readonly<Record<string, string>>;
}

/** What a mode may know of the session it runs in. */
export interface SessionView {
  readonly initiator: string;
  readonly participants: readonly string[];
  readonly rules: PolicyRules;
  /** Milliseconds spent suspended so far; timers of a mode do not run meanwhile. */
  readonly suspendedTotalMs: number;
}

export type ModeDecision = { readonly facts: JsonObject } | { readonly rejection: Rejection };

export interface Mode<State> {
  readonly descriptor: ModeDescriptor;
  /** Strict modes need participants, versions and a TTL that are all said explicitly. */
  readonly strict: boolean;
  /** Message ids with these beginnings are written by the runtime only. */
  readonly reservedMessageIdPrefixes: readonly string[];
  readRules(rules: JsonObject): RulesReading;
  /** Participants as bound, or why the session cannot start. */
  bind(initiator: string, start: SessionStartPayload): readonly string[] | Rejection;
  initial(): State;
  /** Decides a message of the mode's own, from a member; Commitment does not come here. */
  decide(state: State, envelope: Envelope, session: SessionView, codec: Codec): ModeDecision;
  /** May this commitment end the session as the history stands? */
  settle(state: State, commitment: CommitmentPayload, session: SessionView): Rejection | undefined;
  /**
   * The facts of an envelope, by reading its payload alone; undefined when it cannot be read. Deciders and the SDK's
   * projection share it, so that both fold the same thing.
   */
  facts(messageType: string, payload: Uint8Array, codec: Codec): JsonObject | undefined;
  /** Total: an entry that means nothing here leaves the state as it is. */
  evolve(
    state: State,
    entry: Pick<EntryHead, 'type' | 'facts' | 'actor' | 'at' | 'seq'>,
    session: SessionView,
  ): State;
  /** When the mode's own timer falls due while the session is open. */
  due(state: State, session: SessionView): number | undefined;
  /** What the mode's timer appends when it is due; the session adds the facts that every envelope carries. */
  tick(state: State, session: SessionView, codec: Codec): Draft | undefined;
  /** Agents that a fact involves besides the participants, by role. */
  involved(
    entry: Pick<EntryHead, 'type' | 'facts'>,
  ): readonly { readonly agent: string; readonly role: string }[];
  /** The state as views and fixtures show it. */
  view(state: State): JsonObject;
}
