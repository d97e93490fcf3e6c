/**
 * State of Decision Mode. Proposals and votes are kept one by one; of evaluations and objections only what a policy asks
 * for, since a session may hold any number of them.
 */
import type { Branch } from '../tree.js';
import type { VoteWord } from './messages.js';

export const DecisionPhase = {
  Proposal: 'Proposal',
  Evaluation: 'Evaluation',
  Voting: 'Voting',
  Committed: 'Committed',
} as const;
export type DecisionPhase = (typeof DecisionPhase)[keyof typeof DecisionPhase];

export interface DecisionProposal {
  readonly proposedBy: string;
  /** By voter. */
  readonly votes: Branch<VoteWord>;
}

/** How often somebody has approved and rejected, over all proposals. */
export interface Cast {
  readonly approvals: number;
  readonly rejections: number;
}

export interface Evaluations {
  readonly count: number;
  /** Those that recommend something; REVIEW does not. */
  readonly qualifying: number;
  /** The highest confidence among the qualifying ones. */
  readonly confidence: number;
}

export interface Objections {
  readonly count: number;
  readonly critical: number;
  /** Who objected critically, sorted, each once. */
  readonly criticalBy: readonly string[];
}

export interface DecisionState {
  readonly phase: DecisionPhase;
  /** By proposal id. */
  readonly proposals: Branch<DecisionProposal>;
  /** By voter, whatever they said: the same votes once more, so that a tally need not go through all of them. */
  readonly cast: Branch<Cast>;
  readonly evaluations: Evaluations;
  readonly objections: Objections;
}

export const NO_PROPOSALS: DecisionState = {
  phase: DecisionPhase.Proposal,
  proposals: undefined,
  cast: undefined,
  evaluations: { count: 0, qualifying: 0, confidence: 0 },
  objections: { count: 0, critical: 0, criticalBy: [] },
};
