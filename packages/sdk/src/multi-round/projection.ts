import {
  contributionFacts,
  type Envelope,
  evolveMultiRound,
  MULTI_ROUND_MODE,
  MultiRoundMessageType,
  type MultiRoundState,
  NO_VALUES,
  readContribution,
} from '@handover/core';
import { codec } from '../codec.js';
import { SessionProjection } from '../session/projection.js';

/** The phases of a multi-round session. */
export type MultiRoundPhase = 'Contributing' | 'Converged' | 'Committed';

/** A contribution, in the round that it began or belongs to. */
export interface ContributionRecord {
  /** What was contributed. */
  readonly value: string;
  /** Who holds it. */
  readonly sender: string;
  /** In which round it came, from 1. */
  readonly round: number;
}

/** Follows a multi-round session on the client's side. */
export class MultiRoundProjection extends SessionProjection {
  override readonly mode = MULTI_ROUND_MODE;
  /** The value that each participant holds, by participant, in the order of their first contributions. */
  readonly values: Map<string, string> = new Map();
  /** All contributions, in order. */
  readonly contributions: ContributionRecord[] = [];
  #state: MultiRoundState = NO_VALUES;

  /** Contributing, Converged once all participants hold the same value, Committed. */
  override get phase(): MultiRoundPhase {
    if (this.isCommitted) return 'Committed';
    return this.#state.converged ? 'Converged' : 'Contributing';
  }
  /** How many contributions were new: each is a round. */
  get round(): number {
    return this.#state.round;
  }
  /** Whether all participants hold the same value. */
  get isConverged(): boolean {
    return this.#state.converged;
  }
  /** The value that all participants hold; undefined while they do not. */
  get convergedValue(): string | undefined {
    return this.#state.converged ? [...this.values.values()][0] : undefined;
  }

  protected override reset(): void {
    this.#state = NO_VALUES;
    this.values.clear();
    this.contributions.length = 0;
  }

  protected override fold(envelope: Envelope, seq: number): void {
    const { messageType, payload, sessionId, sender } = envelope;
    if (messageType !== MultiRoundMessageType.Contribute) return;
    const value = readContribution(payload, codec);
    if (value === undefined) return;
    const entry = this.entry(envelope, seq, contributionFacts(sessionId, value, codec));
    const participants = this.sessionStart?.participants ?? [];
    this.#state = evolveMultiRound(this.#state, entry, { participants });
    this.values.set(sender, value);
    this.contributions.push({ value, sender, round: this.#state.round });
  }
}
