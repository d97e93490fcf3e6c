/** What a worker asks its program, and tells it. */

import { MacpSdkError } from '../errors.js';
import type { Waited } from '../handoff/context-clock.js';
import type { OpenOffer } from './offer.js';

/** An offer as the decision gets it. */
export interface WorkerOffer extends OpenOffer {
  /** The bytes that the session was started with as `context`. */
  readonly frozenContext: Uint8Array | undefined;
  /** 1 for the first time; counted over restarts where the worker has a journal. */
  readonly attempt: number;
  /** `context`: it came, and then nothing new. `stopped`: none came in time, and the decision is taken without. */
  readonly waited: Waited;
  /** Fires when the offer is over: answered otherwise, cancelled, expired. The decision then counts no more. */
  readonly signal: AbortSignal;
}

/** Yes or no, with a reason; undefined leaves the offer unanswered until new context comes. */
export type Decision = boolean | { readonly accept: boolean; readonly reason?: string } | undefined;

/** Decides on one offer. */
export type Decide = (offer: WorkerOffer) => Decision | Promise<Decision>;

/** An answer that the runtime has taken. */
export interface AnsweredOffer {
  /** The offer as the decision saw it. */
  readonly offer: WorkerOffer;
  /** Whether it was taken. */
  readonly accept: boolean;
  /** What was said with the answer. */
  readonly reason: string;
  /** How many contexts the decision has seen. */
  readonly seenContexts: number;
  /** How many came before the answer without having been seen: the owner did not stop sending. */
  readonly unseen: number;
  /** Which attempt it was. */
  readonly attempt: number;
  /** True when the runtime had the same answer already, because an acknowledgement was lost or from another worker. */
  readonly duplicate: boolean;
}

/** Something that went wrong with one offer; the worker goes on. */
export interface WorkerFailure {
  /** What was thrown, by `decide` or by a call. */
  readonly error: unknown;
  /** In which session. */
  readonly sessionId: string;
  /** On which offer. */
  readonly handoffId: string;
  /** Which attempt failed; 0 when none had begun. */
  readonly attempt: number;
  /** When it is tried again; undefined when this worker leaves the offer to others. */
  readonly retryInMs: number | undefined;
}

/** What a worker is at, and what it has done since it was started. */
export interface WorkerStats {
  /** Open sessions in which the agent takes part. */
  readonly sessions: number;
  /** How many of them are followed by streams; the others are looked at in turn. */
  readonly followed: number;
  /** Offers whose turn has not come. */
  readonly waiting: number;
  /** Decisions that run now. */
  readonly deciding: number;
  /** How often `decide` was called. */
  readonly decisions: number;
  /** Offers that this worker has accepted. */
  readonly accepted: number;
  /** Offers that it has declined. */
  readonly declined: number;
  /** How often a decision or an answer failed. */
  readonly failures: number;
}

/** A decision in one form; undefined leaves the offer unanswered. */
export interface Verdict {
  readonly accept: boolean;
  readonly reason: string;
}

export function verdictOf(decision: unknown): Verdict | undefined {
  if (decision === undefined) return undefined;
  if (typeof decision === 'boolean') return { accept: decision, reason: '' };
  const { accept, reason = '' } = (decision ?? {}) as { accept?: unknown; reason?: unknown };
  if (typeof accept === 'boolean' && typeof reason === 'string') return { accept, reason };
  throw new MacpSdkError('decide must answer true, false, { accept, reason } or undefined');
}
