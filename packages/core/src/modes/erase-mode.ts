/**
 * Modes of all kinds side by side. A session holds a `ModeRun`: a mode, its state and its rules together, so that no
 * mode ever meets the state or the rules of another. Their types are known inside the run and nowhere else.
 */
import type { Codec } from '../envelope/codec.js';
import type { Envelope } from '../envelope/envelope.js';
import type { PayloadKind, PayloadTable } from '../envelope/payload-kind.js';
import type { CommitmentPayload } from '../envelope/payloads.js';
import type { Draft } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { policyDenials } from '../policy/evaluate.js';
import { type CommitmentRules, INITIATOR_ONLY } from '../policy/rules.js';
import { fewFlaws, type RuleKeys } from '../policy/rules-reading.js';
import type { Denial, Rejection } from '../rejection.js';
import type { Mode, ModeDecision, ModeEntry, ModeTerms, SessionView } from './mode.js';

/** A mode without the types of its state and rules. */
export interface AnyMode extends ModeTerms {
  readonly payloads: Readonly<Record<string, PayloadKind<unknown>>>;
  /** What is wrong with rules as this mode reads them. */
  rulesFlaws(rules: JsonObject, keys: RuleKeys): readonly string[];
  /** The mode at the start of a session that froze these rules. */
  begin(rules: JsonObject, keys: RuleKeys): ModeRun;
}

/** The same, for those who name the payloads at compile time. */
export interface ErasedMode<Payloads> extends AnyMode {
  readonly payloads: PayloadTable<Payloads> & AnyMode['payloads'];
}

/** The session that a run is part of; the rules are in the run. */
export type RunSession = Omit<SessionView, 'rules'>;

/** A mode at work in one session. Immutable, like the state of the session that holds it. */
export interface ModeRun {
  /** Who may commit. */
  readonly authority: CommitmentRules;
  decide(envelope: Envelope, session: RunSession, codec: Codec): ModeDecision;
  evolve(entry: ModeEntry, session: RunSession): ModeRun;
  ready(commitment: CommitmentPayload, session: RunSession): Rejection | undefined;
  denials(commitment: CommitmentPayload, session: RunSession): readonly Denial[];
  due(session: RunSession): number | undefined;
  tick(session: RunSession, codec: Codec): Draft | undefined;
  view(): JsonObject;
  /** The state, for those who know which mode it is; undefined when it is another mode. */
  stateOf<State, Rules extends CommitmentRules, Payloads>(
    mode: Mode<State, Rules, Payloads>,
  ): State | undefined;
}

export function eraseMode<State, Rules extends CommitmentRules, Payloads>(
  mode: Mode<State, Rules, Payloads>,
): ErasedMode<Payloads> {
  return {
    ...mode,
    rulesFlaws(rules, keys) {
      const reading = mode.readRules(rules, keys);
      return 'flaws' in reading ? reading.flaws : [];
    },
    begin(rules, keys) {
      const reading = mode.readRules(rules, keys);
      if ('rules' in reading) return new TypedRun(mode, mode.initial, reading.rules, []);
      return new TypedRun(mode, mode.initial, mode.strictestRules, fewFlaws(reading.flaws));
    },
  };
}

class TypedRun<State, Rules extends CommitmentRules, Payloads> implements ModeRun {
  // Not #private: tests compare sessions, and a comparison does not see private fields.
  private readonly mode: Mode<State, Rules, Payloads>;
  private readonly state: State;
  private readonly rules: Rules;
  private readonly flaws: readonly string[];

  constructor(mode: Mode<State, Rules, Payloads>, state: State, rules: Rules, flaws: readonly string[]) {
    this.mode = mode;
    this.state = state;
    this.rules = rules;
    this.flaws = flaws;
  }

  get authority(): CommitmentRules {
    return this.mode.commitBy === 'initiator' ? INITIATOR_ONLY : this.rules;
  }

  decide(envelope: Envelope, session: RunSession, codec: Codec): ModeDecision {
    return this.mode.decide(this.state, envelope, this.seen(session), codec);
  }

  evolve(entry: ModeEntry, session: RunSession): ModeRun {
    const state = this.mode.evolve(this.state, entry, this.seen(session));
    return state === this.state ? this : new TypedRun(this.mode, state, this.rules, this.flaws);
  }

  ready(commitment: CommitmentPayload, session: RunSession): Rejection | undefined {
    return this.mode.ready(this.state, commitment, this.seen(session));
  }

  denials(commitment: CommitmentPayload, session: RunSession): readonly Denial[] {
    const general = policyDenials(session.policy, this.flaws);
    if (general.length > 0) return general;
    return this.mode.denials(this.state, commitment, this.seen(session));
  }

  due(session: RunSession): number | undefined {
    return this.mode.timer?.due(this.state, this.seen(session));
  }

  tick(session: RunSession, codec: Codec): Draft | undefined {
    return this.mode.timer?.tick(this.state, this.seen(session), codec);
  }

  view(): JsonObject {
    return this.mode.view(this.state);
  }

  stateOf<S, R extends CommitmentRules, P>(mode: Mode<S, R, P>): S | undefined {
    const own: unknown = this.mode;
    // The same mode has the same state type. This is the only place where an erased type comes back.
    return own === mode ? (this.state as unknown as S) : undefined;
  }

  private seen({
    id,
    initiator,
    participants,
    policy,
    suspendedTotalMs,
    rev,
  }: RunSession): SessionView<Rules> {
    return { id, initiator, participants, policy, suspendedTotalMs, rev, rules: this.rules };
  }
}
