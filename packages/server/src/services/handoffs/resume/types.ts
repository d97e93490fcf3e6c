/** What `resume` takes and gives. */
import type { Brief } from '@handover/core';
import type { AttachmentView, HandoffPhase } from '../types.js';

export interface ResumeArgs {
  readonly accept: boolean;
  /** Also takes what the end of a conversation left, without a word of its owner. */
  readonly take: boolean;
  readonly sessionKey?: string;
  readonly handoffId?: string;
  /** Id or name of a project; `*` is all. Absent: that of the connection. */
  readonly project?: string;
  readonly reason?: string;
  /** Of the brief, at most. */
  readonly tokenBudget: number;
}

export type ResumeKind = 'offer' | 'own' | 'parked' | 'left' | 'nothing';

/** One thing that can be gone on with. */
export interface Candidate {
  readonly kind: Exclude<ResumeKind, 'nothing'>;
  readonly sessionKey: string;
  readonly handoffId?: string;
  readonly by: string;
  readonly at: number;
}

export interface Resumed {
  readonly kind: ResumeKind;
  readonly yours: boolean;
  readonly sessionKey?: string;
  readonly handoffId?: string;
  readonly from?: string;
  readonly owner?: string;
  readonly requestType?: string;
  readonly phase?: HandoffPhase | 'parked' | 'active' | 'completed';
  readonly brief?: Brief & { readonly upTo: number; readonly rebuilt?: true };
  /** How many entries were written after the package. */
  readonly delta?: { readonly count: number; readonly fromSequence?: number; readonly toSequence?: number };
  readonly attachments: readonly AttachmentView[];
  readonly attachmentsTotal: number;
  /** The rest of what waits here. */
  readonly others: readonly Candidate[];
  /** How much waits in other projects. */
  readonly elsewhere: number;
}
