/** The kinds of messages that no conforming runtime accepts, and that a projection therefore leaves out. */
export const ANOMALY_KINDS = [
  'duplicate_vote',
  'duplicate_ballot',
  'duplicate_task_accept',
  'settled_handoff',
] as const;
/** One of `ANOMALY_KINDS`. */
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];

/** A message of a transcript that was left out because an earlier one had settled the same thing. */
export interface ProjectionAnomaly {
  /** What was wrong with it. */
  readonly kind: AnomalyKind;
  /** The mode in which it came. */
  readonly mode: string;
  /** What was said. */
  readonly messageType: string;
  /** The message that was left out. */
  readonly messageId: string;
  /** Who sent it. */
  readonly sender: string;
  /** The proposal, request, task or handoff that the message is about. */
  readonly subjectId: string;
  /** One sentence for people. */
  readonly detail: string;
}
