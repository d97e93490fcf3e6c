/**
 * What a mode is: the state machine inside a session. A new mode is one folder that implements this, one line in
 * registry.ts and its protobuf bindings in packages/wire/src/modes. The session decider does everything that is the
 * same for all modes (membership, duplicates, lifecycle, commitment authority and the generic commitment checks) and
 * asks the mode for the rest.
 */
import type { Codec } from '../envelope/codec.js';
import type { Envelope } from '../envelope/envelope.js';
import type { PayloadTable } from '../envelope/payload-kind.js';
import type { CommitmentPayload, SessionStartPayload } from '../envelope/payloads.js';
import type { Draft, EntryHead } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import type { PolicyName } from '../policy/evaluate.js';
import type { CommitmentRules, RulesReading } from '../policy/rules.js';
import type { RuleKeys } from '../policy/rules-reading.js';
import type { Denial, Rejection } from '../rejection.js';

export interface ModeDescriptor {
  /** The mode's id. */
  readonly mode: string;
  /** The version of its rules. */
  readonly modeVersion: string;
  /** Its name for people. */
  readonly title: string;
  /** What it is for. */
  readonly description: string;
  /** How far a replay of its history comes out the same: a word of the protocol. */
  readonly determinismClass: string;
  /** How its participants are known: a word of the protocol, such as `declared`. */
  readonly participantModel: string;
  /** What can be said in it. */
  readonly messageTypes: readonly string[];
  /** What ends a session; Commitment is among them. */
  readonly terminalMessageTypes: readonly string[];
  /** Where the schemas of its payloads are, by message type. */
  readonly schemaUris: Readonly<Record<string, string>>;
}

/** What a mode may know of the session it runs in. */
export interface SessionView<Rules extends CommitmentRules = CommitmentRules> {
  readonly id: string;
  readonly initiator: string;
  readonly participants: readonly string[];
  /** The frozen policy; a mode may judge by its schema version. */
  readonly policy: PolicyName;
  readonly rules: Rules;
  /** Milliseconds spent suspended so far; timers of a mode do not run meanwhile. */
  readonly suspendedTotalMs: number;
  /** Of the session's rules (`SessionRev`): what a mode refuses since a later one, it took in this session. */
  readonly rev: number;
}

export type ModeDecision = { readonly facts: JsonObject } | { readonly rejection: Rejection };
export type ModeEntry = Pick<EntryHead, 'type' | 'facts' | 'actor' | 'at' | 'seq'>;

/** The part of a mode that does not depend on the types of its state, rules and payloads. */
export interface ModeTerms {
  readonly descriptor: ModeDescriptor;
  /**
   * Strict modes need explicit versions and an explicit TTL, and an empty list of participants lets nobody speak; in
   * other modes it lets anybody speak.
   */
  readonly strict: boolean;
  /** How many participants a SessionStart must list. */
  readonly minParticipants: number;
  /** Who commits: whoever the policy says, or always the initiator. */
  readonly commitBy: 'policy' | 'initiator';
  /** Message ids with these beginnings are written by the runtime only. */
  readonly reservedMessageIdPrefixes: readonly string[];
  /** The keys that policies of this mode may use. */
  readonly ruleKeys: RuleKeys;
  /** Keys that policies used to have: they are read where they are recorded, and refused in a new registration. */
  readonly olderRuleKeys?: RuleKeys;
  /**
   * What is wrong with rules that can be read and yet cannot be meant. Only a registration asks: a session judges by what it
   * froze, as it always did.
   */
  doubtsOf?(rules: JsonObject): readonly string[];
  /**
   * Why nothing can be counted by these rules. Asked of a session that begins, too: its policy may be older than the
   * question.
   */
  uncountable?(rules: JsonObject): string | undefined;
  /** Where the repository publishes the JSON Schema of the rules. */
  readonly rulesSchema?: string;
  /** Participants as bound, or why the session cannot start. Without it they are bound as listed. */
  bind?(initiator: string, start: SessionStartPayload): readonly string[] | Rejection;
  /** Agents that a fact involves besides the participants, by role. */
  involved?(
    entry: Pick<EntryHead, 'type' | 'facts'>,
  ): readonly { readonly agent: string; readonly role: string }[];
}

export interface Mode<State, Rules extends CommitmentRules, Payloads> extends ModeTerms {
  /** The payloads of the mode's own messages: their protobuf bindings by name, and their shapes in JSON. */
  readonly payloads: PayloadTable<Payloads>;
  readRules(rules: JsonObject, keys: RuleKeys): RulesReading<Rules>;
  /** They replace rules that cannot be read; then no Commitment is possible. */
  readonly strictestRules: Rules;
  readonly initial: State;
  /** Decides one of the mode's own messages, from a member; never a Commitment. */
  decide(state: State, envelope: Envelope, session: SessionView<Rules>, codec: Codec): ModeDecision;
  /** Total: an entry that means nothing here leaves the state as it is. The Commitment comes here as well. */
  evolve(state: State, entry: ModeEntry, session: SessionView<Rules>): State;
  /** Why the history does not allow this Commitment; undefined when it does. */
  ready(state: State, commitment: CommitmentPayload, session: SessionView<Rules>): Rejection | undefined;
  /** Why the policy forbids a Commitment for which the session is ready; empty when it does not. */
  denials(state: State, commitment: CommitmentPayload, session: SessionView<Rules>): readonly Denial[];
  readonly timer?: ModeTimer<State, Rules>;
  /** The state as views and fixtures show it. */
  view(state: State): JsonObject;
}

/** What a mode does by itself when time has passed. */
export interface ModeTimer<State, Rules extends CommitmentRules> {
  /** When it falls due while the session is open. */
  due(state: State, session: SessionView<Rules>): number | undefined;
  /** What it appends then; the session adds the facts that every envelope carries. */
  tick(state: State, session: SessionView<Rules>, codec: Codec): Draft | undefined;
}
