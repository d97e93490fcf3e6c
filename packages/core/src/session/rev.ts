/** Revisions of the rules of sessions: each is recorded by the sessions that begin under it, and stays for their replay. */
export const SessionRev = {
  /** 0.1.0. */
  First: 2,
  /** Work that was taken over: the initiator need not be the owner. Only such sessions record it. */
  TakeOvers: 3,
  /**
   * The protocol of 2026 (docs/spec/macp-2026.md): ids have at most 128 bytes, a session is suspended at most 1024 times, and
   * in extension modes the initiator commits, whatever the policy says.
   */
  Wire2026: 4,
  /** Task Mode: what was given back after its report is taken by nobody. */
  NothingLeft: 5,
  /** Decision Mode: weights are added exactly, and a share is rounded once. */
  ExactShares: 6,
} as const;

export const NEWEST_SESSION_REV = SessionRev.ExactShares;
