/** What `resume` takes and gives. */
import type { Brief, Rejection } from '@handover/core';
import type { ProjectTag } from '../../project.js';
import type { OtherWindow } from '../other-window.js';
import type { SoonSilent } from '../take/silent-sessions.js';
import type {
  AttachmentView,
  ContextEntryView,
  EarlierAttachment,
  HandoffPhase,
  ReturnedOffer,
  TakePermit,
} from '../types.js';
import type { GitState } from './last-git.js';

export interface ResumeArgs {
  readonly accept: boolean;
  /** Also takes what nobody handed over: what a conversation left at its end, and the work of a silent owner. */
  readonly take: boolean;
  readonly sessionKey?: string;
  readonly handoffId?: string;
  /** Id or name of a project; `*` is all. Absent: that of the connection. */
  readonly project?: string;
  readonly reason?: string;
  /** How long to wait when there is nothing; the signal ends it before. */
  readonly wait?: { readonly ms: number; readonly signal: AbortSignal };
  /** The same for every time that a pipe says the same request. */
  readonly requestKey?: string;
  /** Asked with what will be claimed, before it is: a refusal claims nothing. */
  readonly admit?: (seen: Shown) => Promise<Rejection | undefined>;
  /** Asked before work is taken over from a silent owner. */
  readonly permit?: TakePermit;
}

export type ResumeKind = 'offer' | 'own' | 'parked' | 'shared' | 'received' | 'left' | 'silent' | 'nothing';

/** One thing that can be gone on with. */
export interface Candidate {
  readonly kind: Exclude<ResumeKind, 'nothing'>;
  readonly sessionKey: string;
  readonly handoffId?: string;
  readonly by: string;
  readonly at: number;
  /** What it is about, where it is named beside another. */
  readonly title?: string;
  /** Of a note: the working session that it is about. */
  readonly about?: string;
  /** Notes on it that wait, the first one first. */
  readonly notes?: readonly Candidate[];
}

/** The working session that the caller's window is at. */
export interface Present {
  readonly sessionKey: string;
  /** When the window last did something with it. */
  readonly lastAt: number;
  /** That was to offer it to somebody. */
  readonly isOffered: boolean;
  /** When an offer of it came to nothing after that. */
  readonly returnedAt?: number;
}

/** With the project that it belongs to. */
export interface Placed {
  readonly candidate: Candidate;
  readonly project?: ProjectTag;
}

/** A brief in as many tokens as there is room for. */
export interface BriefSource {
  readonly upTo: number;
  /** As it was handed over. */
  readonly frozen?: Brief;
  /** Of the same entries, in at most so many tokens. */
  readonly write: (tokenBudget: number) => Promise<Brief>;
}

/** What came after the package. */
export interface Delta {
  readonly count: number;
  readonly fromSequence?: number;
  readonly toSequence?: number;
  /** The first of them, once they are the caller's to read. */
  readonly entries?: readonly ContextEntryView[];
  /** Why they are not yet. */
  readonly withheld?: string;
}

export interface Resumed {
  readonly kind: ResumeKind;
  readonly yours: boolean;
  /** This call has done something: it cannot be refused any more. */
  readonly claimed?: true;
  readonly sessionKey?: string;
  readonly handoffId?: string;
  readonly from?: string;
  readonly owner?: string;
  /** Who wrote what is shown. */
  readonly authors?: readonly string[];
  readonly requestType?: string;
  readonly phase?: HandoffPhase | 'parked' | 'active' | 'completed';
  readonly offeredAt?: number;
  readonly expiresAt?: number;
  /** What the sender wants to be done. */
  readonly instructions?: string;
  readonly brief?: BriefSource;
  readonly delta?: Delta;
  /** Of the handoff that is shown, then of earlier ones of its session, the newest first. */
  readonly attachments: readonly (AttachmentView | EarlierAttachment)[];
  readonly attachmentsTotal: number;
  /** Where the folder stood when the work was captured last. */
  readonly git?: GitState;
  /** Since when its owner is silent, of work that is or was taken from it. */
  readonly silentSince?: number;
  /** Whose it was, of own work that was taken for the caller, who has done nothing with it since. */
  readonly takenFrom?: string;
  readonly project?: ProjectTag;
  /** Of a note: the work of the caller that it is about. */
  readonly about?: string;
  /** Notes of former owners on the work that is shown. */
  readonly notes?: readonly ShownNote[];
  /** How work that is the caller's stands with it. */
  readonly standing?: Standing;
  /** The caller's own offers of it that came to nothing. */
  readonly returned?: readonly ReturnedOffer[];
  /** The rest of what waits here. */
  readonly others: readonly Candidate[];
  /** How much waits in other projects. */
  readonly elsewhere: number;
  /** Where there is nothing, and something may be taken later: what comes first. */
  readonly soon?: SoonSilent;
}

export interface ShownNote {
  readonly from: string;
  readonly handoffId?: string;
  readonly text: string;
  /** With this call it became an entry of the work. */
  readonly isAdded: boolean;
}

/** Of the caller's own work: whether it can begin, and who else may get it. */
export interface Standing {
  /** Its window is at it: what it says without naming a session goes there. */
  readonly isAt: boolean;
  /** Whoever resumes next may have it. */
  readonly isLeft: boolean;
  /** That was so until this call. */
  readonly tookBack: boolean;
  /** Another window of the caller, which wrote to it lately and is still there. */
  readonly otherWindow?: OtherWindow;
  /** Who has it as soon as it accepts; with `isAccepted`, as soon as the caller commits. */
  readonly offered?: { readonly to: string; readonly handoffId?: string; readonly isAccepted: boolean };
}

/** One thing, before what else there is. */
export type Shown = Omit<Resumed, 'others' | 'elsewhere' | 'soon'>;
