/** By which rules a policy was registered. It is recorded, so that each registration can be decided again as it was. */
export const RulesRev = {
  /** Those of 0.1.0: rules of our own stand among the protocol's, and only policies of Handoff Mode have closed keys. */
  First: 1,
  /** Keys are closed in every built-in standard mode, and rules of our own stand under a key of our own. */
  Closed: 2,
  /** What can be read but not meant is refused: a share that may be of one or of a hundred, a mode that nobody serves. */
  Newest: 3,
} as const;
export type RulesRev = (typeof RulesRev)[keyof typeof RulesRev];

/** As a registration records it; the first ones recorded none. */
export function recordedRulesRev(rev: unknown): RulesRev {
  if (rev === undefined) return RulesRev.First;
  return rev === RulesRev.Closed ? RulesRev.Closed : RulesRev.Newest;
}
