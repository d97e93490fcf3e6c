/** State of a working session: who owns it, who may write and read what, and where it is in its life. */
export const WorklogStatus = {
  Active: 'active',
  Expired: 'expired',
  Archived: 'archived',
  Purged: 'purged',
} as const;
export type WorklogStatus = (typeof WorklogStatus)[keyof typeof WorklogStatus];

export const RequestType = {
  ContextTransfer: 'context_transfer',
  FullHandoff: 'full_handoff',
  Collaboration: 'collaboration',
} as const;
export type RequestType = (typeof RequestType)[keyof typeof RequestType];

/** How long each stage lasts, in milliseconds; recorded with the registration and whenever the setting has changed. */
export interface Lifetimes {
  readonly dormantAfterMs: number;
  readonly expireAfterMs: number;
  readonly archiveAfterMs: number;
  readonly purgeAfterMs: number;
}

/** A handoff of this working session that has neither been committed nor ended. */
export interface PendingHandoff {
  readonly sessionId: string;
  readonly handoffId: string;
  readonly target: string;
  readonly requestType: string;
  readonly upTo: number;
}

/** A right to read entries up to a number: of former owners, and of those to whom a package was delivered. */
export interface ReadGrant {
  readonly agent: string;
  readonly upTo: number;
  readonly sessionId: string;
}

export interface WorklogState {
  readonly key: string;
  /** An id of its own, besides the key that its user chose. */
  readonly id: string;
  /** Who registered it; never changes. */
  readonly agentFrom: string;
  readonly owner: string;
  readonly collaborators: readonly string[];
  readonly grants: readonly ReadGrant[];
  readonly pending: readonly PendingHandoff[];
  readonly status: WorklogStatus;
  readonly dormant: boolean;
  readonly createdAt: number;
  readonly lastActivityAt: number;
  readonly statusSince: number;
  readonly lifetimes: Lifetimes;
  /** The number of the last context entry; 0: none yet. */
  readonly lastNumber: number;
  readonly seq: number;
}

export function mayWrite(worklog: WorklogState, agent: string): boolean {
  return agent === worklog.owner || worklog.collaborators.includes(agent);
}

/** Up to which number an agent may read; undefined: nothing, and it should not even learn that there is something. */
export function readableUpTo(worklog: WorklogState, agent: string): number | undefined {
  if (worklog.status === WorklogStatus.Purged) return undefined;
  if (mayWrite(worklog, agent)) return worklog.lastNumber;
  const granted = worklog.grants.filter((grant) => grant.agent === agent).map(({ upTo }) => upTo);
  return granted.length === 0 ? undefined : Math.max(...granted);
}

/** The word that lists show; dormant ones are active with a flag. */
export function statusOf({ status, dormant }: WorklogState): string {
  return status === WorklogStatus.Active && dormant ? 'dormant' : status;
}
