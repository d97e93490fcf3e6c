/** State of a working session: who owns it, who may write and read what, and where it is in its life. */
import type { Parked } from './parked.js';
import type { Transfer } from './transfers.js';

export const WorklogStatus = {
  Active: 'active',
  /** Its owner closed it, and can open it again. */
  Completed: 'completed',
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

export const CloseOutcome = { Done: 'done', Abandoned: 'abandoned' } as const;
export type CloseOutcome = (typeof CloseOutcome)[keyof typeof CloseOutcome];

/** Where the work is done. */
export interface Project {
  readonly id: string;
  readonly name: string;
}

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
  /** The instruction by which its target picks it up. */
  readonly standing?: number;
  /** Set when its target takes the work over. */
  readonly takeOver?: { readonly from: string; readonly silentSince: number };
}

/** How the present owner got it from one that was silent. */
export interface Taken {
  readonly from: string;
  readonly silentSince: number;
  readonly at: number;
  readonly sessionId: string;
  readonly handoffId: string;
}

/** A right to read entries up to a number: of former owners, and of those to whom a package was delivered. */
export interface ReadGrant {
  readonly agent: string;
  readonly upTo: number;
  readonly sessionId: string;
}

/** What its owner said beside an offer. */
export interface LeftUntil {
  readonly sessionId: string;
  readonly until: number;
}

export interface Author {
  readonly agent: string;
  /** The number of its first entry. */
  readonly since: number;
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
  /** The full handoffs that were committed, in order. */
  readonly transfers: readonly Transfer[];
  readonly status: WorklogStatus;
  readonly dormant: boolean;
  readonly createdAt: number;
  readonly lastActivityAt: number;
  readonly statusSince: number;
  readonly lifetimes: Lifetimes;
  /** The number of the last context entry; 0: none yet. */
  readonly lastNumber: number;
  /** Who wrote entries, the first one first. */
  readonly authors: readonly Author[];
  readonly seq: number;
  readonly project?: Project;
  /** The client, and its conversation, for which a hook opened it. */
  readonly client?: string;
  readonly clientSession?: string;
  /** The window that wrote last, of those that said which one they are; whose it is, and when that was. */
  readonly lastInstance?: string;
  readonly lastInstanceBy?: string;
  readonly lastInstanceAt?: number;
  /** The numbers of the entries with the newest goal and the newest next step. */
  readonly goalSequence?: number;
  readonly nextSequence?: number;
  /** The number of the newest entry in which a hook says where a conversation stands. */
  readonly capturedSequence?: number;
  /** When its owner last did something itself, or became its owner. */
  readonly ownerActiveAt: number;
  /** The newest instruction of the owner. It may be over: see `liveInstruction`. */
  readonly parked?: Parked;
  readonly leftUntil: readonly LeftUntil[];
  /** The last agent that the work was left for by name, also when that is over. */
  readonly lastTaker?: string;
  readonly taken?: Taken;
  /** How it was closed, while it is. */
  readonly outcome?: CloseOutcome;
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

/** Who wrote the entries up to a number, the first one first. */
export const authorsUpTo = ({ authors }: Pick<WorklogState, 'authors'>, upTo: number): readonly string[] =>
  authors.filter(({ since }) => since <= upTo).map(({ agent }) => agent);

/** The word that lists show; dormant ones are active with a flag. */
export function statusOf({ status, dormant }: WorklogState): string {
  return status === WorklogStatus.Active && dormant ? 'dormant' : status;
}
