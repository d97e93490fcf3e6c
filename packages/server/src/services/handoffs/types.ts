/**
 * What assistants can ask, in core's terms: the MCP door translates to and from
 * this, and so may any other door. Times are milliseconds, ids are as the caller wrote them.
 *
 * H1. An outsider gets the same answer as for an id that does not exist.
 * H2. A rejection changes nothing; a success is durable.
 * H3. With an idempotency key a repeated request gives the first one's result, marked `replayed`.
 */
import type {
  Brief,
  CloseOutcome,
  JsonObject,
  NoteWarning,
  ParkedBy,
  ReadPackage,
  Rejection,
  RequestType,
  TakeOverPolicy,
  Takers,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection, ConnectionFacts } from '../connection.js';
import type { Outcome } from '../outcome.js';
import type { ProjectTag } from '../project.js';
import type { Captured, CaptureRequest, HookRequest } from './capture-request.js';
import type { HandOffArgs, HandOffView } from './hand-off-types.js';
import type { HookTold } from './hook-text.js';
import type { OtherWindow } from './other-window.js';
import type { PageRoom } from './pages.js';
import type { ResumeArgs, Resumed } from './resume/types.js';
import type { ReturnedWanted } from './returned-offers.js';
import type { SessionWarning } from './session-warnings.js';
import type { Withdrawn } from './withdraw.js';

export type { Brief, ReadPackage };

export interface WorklogView {
  readonly id: string;
  readonly sessionKey: string;
  readonly agentFrom: string;
  readonly owner: string;
  readonly collaborators: readonly string[];
  /** active, expired, archived or purged; a dormant one is active with the flag. */
  readonly status: string;
  readonly dormant: boolean;
  readonly createdAt: number;
  readonly lastActivityAt: number;
  /** The number of the last context entry that the caller may read. */
  readonly lastSequence: number;
  readonly metadata: JsonObject;
  /** How it was closed, while it is. */
  readonly outcome?: CloseOutcome;
}

export interface ContextEntryView {
  readonly id: string;
  readonly sequenceNumber: number;
  readonly contextType: string;
  readonly content: string;
  readonly metadata: JsonObject;
  readonly author: string;
  readonly createdAt: number;
}

/** offered, accepted and declined wait for the next move; the others are ends. */
export type HandoffPhase = 'offered' | 'accepted' | 'declined' | 'committed' | 'expired' | 'cancelled';

export interface HandoffView {
  /** `<session id>:<percent-encoded handoff id>`, whatever door the offer came through. */
  readonly handoffId: string;
  readonly macpSessionId: string;
  readonly offerId: string;
  /** The working session it hands over; absent when the offer came over MACP without one. */
  readonly sessionKey?: string;
  readonly requestType?: string;
  /** Of the working session. */
  readonly project?: ProjectTag;
  /** What it is about, while it waits. */
  readonly title?: string;
  /** Who gives the work away, or from whom it is taken. */
  readonly from: string;
  /** Set when not the owner but the operator let the work move. */
  readonly authority?: 'operator';
  /** Since when the owner was silent from whom it was taken. */
  readonly silentSince?: number;
  readonly to: string;
  readonly scope: string;
  readonly reason: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly phase: HandoffPhase;
  /** One sentence on what the caller can do next. */
  readonly instruction: string;
  readonly autoCommit: boolean;
  readonly offeredAt: number;
  /** Until when the target can have it: as long as the offer stands, or as its owner has left it. */
  readonly expiresAt: number;
  readonly answeredAt?: number;
  readonly answerReason?: string;
  readonly implicit: boolean;
  readonly contexts: number;
  readonly lateContexts: number;
  /** Who is responsible now. */
  readonly holder: string;
  /** Up to which number the package goes; absent without a working session. */
  readonly packageUpTo?: number;
  readonly packageDigest?: string;
  /** Until when the target may pick the work up, when its owner has just said so. */
  readonly leftUntil?: number;
  /** What its sender should know, when it has just made it. */
  readonly warnings?: readonly SessionWarning[];
}

/** An offer of the caller that moved nothing: declined, or out of time. */
export interface ReturnedOffer extends HandoffView {
  /** Its target may still pick the work up. */
  readonly stillLeft: boolean;
}

/** One thing that was sent with an offer, beside its package. */
export interface AttachmentView {
  /** Its number, from 1. */
  readonly attachment: number;
  /** As its sender called it, or `attachment-n`. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly digest: string;
  /** It came after the answer. */
  readonly late: boolean;
  readonly createdAt: number;
  /** Why the caller cannot read it. */
  readonly withheld?: string;
}

/** What came with an earlier full handoff of the same working session: named, and read by these two. */
export interface EarlierAttachment
  extends Pick<AttachmentView, 'name' | 'contentType' | 'bytes' | 'withheld'> {
  readonly handoffId: string;
  readonly attachment: number;
  /** Who sent it. */
  readonly from: string;
}

export interface AttachmentList {
  readonly attachments: readonly AttachmentView[];
  /** There may be more than are listed. */
  readonly attachmentsTotal: number;
}

/** `text` when type and bytes are text, else `base64`. */
/** With who sent it. */
export interface SentContent extends AttachmentContent {
  readonly from: string;
}

export interface AttachmentContent extends AttachmentView {
  /** `type/subtype` under which it may be served. */
  readonly mediaType: string;
  readonly text?: string;
  readonly base64?: string;
}

/** One entry in which all words of a search occur, or one attachment of a handoff of the session. */
export interface SearchHit {
  readonly sessionKey: string;
  /** Of an attachment: the last entry that was handed over with it. */
  readonly sequenceNumber: number;
  /** Set for an attachment: it is read by these two. */
  readonly handoffId?: string;
  readonly attachment?: number;
  readonly contextType: string;
  readonly createdAt: number;
  readonly author: string;
  /** The text around the first match. */
  readonly snippet: string;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** False: there is more to look through, from the cursor on. */
  readonly complete: boolean;
  readonly nextCursor?: string;
}

/** A working session in a list that begins with the newest. */
export interface SessionRow {
  readonly sessionKey: string;
  /** What it is about: its newest goal, else what was first asked in the conversation. */
  readonly title?: string;
  readonly owner: string;
  readonly status: string;
  readonly project?: ProjectTag;
  readonly lastActivityAt: number;
  /** Absent: the caller may not read it. */
  readonly lastSequence?: number;
  /** Of another's work: the caller may write to it, too. */
  readonly shared?: true;
  /** Of another's work that the caller may take over: since when its owner is silent, and from when on it may. */
  readonly silentSince?: number;
  readonly takeFrom?: number;
  /** Whom it was left for: an agent, or `*`; others than its owner see only what they could have. */
  readonly parkedFor?: string;
  /** The cursor of what comes after it. */
  readonly cursor: string;
}

export interface OfferedTo {
  readonly to: string;
  readonly handoffId: string;
}

/** Work of another that the caller may pick up. */
export interface LeftSession {
  readonly sessionKey: string;
  /** Of the newest ones. */
  readonly title?: string;
  readonly from: string;
  /** An agent, or `*`. */
  readonly to: string;
  readonly leftAt: number;
  readonly until: number;
  /** The end of a conversation left it, without a word of its owner. */
  readonly unasked: boolean;
}

/** Some entries of what was asked for, and how far it goes. */
export interface EntriesRead {
  readonly sessionKey?: string;
  readonly handoffId?: string;
  readonly entries: readonly ContextEntryView[];
  /** The last number that the caller may read. */
  readonly lastSequence: number;
}

/**
 * Asked when nothing else stands against taking the work over, and before it is taken. What it answers refuses the request.
 */
export type TakePermit = (taking: {
  readonly sessionKey: string;
  readonly from: string;
  readonly silentSince: number;
}) => Promise<Rejection | undefined>;

export interface WriteOptions {
  readonly idempotencyKey?: string;
  readonly expectedSequence?: number;
}

export interface HandoffService {
  registerSession(
    principal: Principal,
    args: { sessionKey: string; agentFrom: string; metadata?: JsonObject } & Pick<
      WriteOptions,
      'idempotencyKey'
    >,
    connection?: ConnectionFacts,
  ): Promise<Outcome<WorklogView>>;
  updateContext(
    principal: Principal,
    args: { sessionKey: string; contextType: string; content: string; metadata?: JsonObject } & WriteOptions,
    connection?: ConnectionFacts & Partial<Pick<Connection, 'transport'>>,
  ): Promise<
    Outcome<{
      readonly entry: Omit<ContextEntryView, 'content'> & { contentLength: number; contentBytes: number };
      readonly session: WorklogView;
      /** What of its notes the brief cannot place. */
      readonly warnings: readonly NoteWarning[];
      /** Another window of the caller that wrote shortly before. */
      readonly otherWindow?: OtherWindow;
      /** With it: to whom the work is offered, perhaps by that window. */
      readonly offered?: OfferedTo;
      /** It ended what its owner had left for whoever comes next. */
      readonly tookBack?: true;
      /** It says nothing to whoever reads it. */
      readonly isEmpty?: true;
    }>
  >;
  /** Where a conversation stands, in its working session; small talk is not stored. */
  capture(
    principal: Principal,
    request: CaptureRequest,
    connection: Pick<Connection, 'transport'>,
  ): Promise<Outcome<Captured>>;
  /** What an assistant is told when a conversation begins; undefined: nothing. */
  hookText(
    principal: Principal,
    request: HookRequest,
    connection: Pick<Connection, 'transport'>,
  ): Promise<HookTold | undefined>;
  requestHandoff(
    principal: Principal,
    args: {
      sessionKey: string;
      targetAgent: string;
      requestType: RequestType;
      requestData?: JsonObject;
      /** True unless the policy lets others commit than the owner. */
      autoCommit?: boolean;
      /** Id of a registered policy; absent: the default one. */
      policy?: string;
      /** In seconds: so long the target may have it, also after the offer itself has expired. */
      expiresIn?: number;
    } & WriteOptions,
  ): Promise<Outcome<HandoffView>>;
  /** The newest thing for the caller in its project, or what it names; with `accept` it becomes the caller's. */
  resume(principal: Principal, args: ResumeArgs, connection: Connection): Promise<Outcome<Resumed>>;
  /** Adds what is said, and offers the work or leaves it, at once. */
  handOff(principal: Principal, args: HandOffArgs, connection?: Connection): Promise<Outcome<HandOffView>>;
  /** Leaves it for an agent, or for anyone, until a time; for nobody: withdraws that. `replayed` when nothing changed. */
  park(
    principal: Principal,
    args: {
      sessionKey: string;
      takers: Takers;
      requestType: RequestType;
      until: number;
      by: ParkedBy;
      event?: string;
    },
  ): Promise<Outcome<WorklogView>>;
  closeSession(
    principal: Principal,
    args: { sessionKey: string; outcome: CloseOutcome; summary?: string },
    connection?: ConnectionFacts,
  ): Promise<Outcome<WorklogView>>;
  /** Every open offer of a working session, and what its owner left for others. */
  withdraw(principal: Principal, args: { sessionKey: string; reason?: string }): Promise<Outcome<Withdrawn>>;
  reopenSession(principal: Principal, sessionKey: string): Promise<Outcome<WorklogView>>;
  /** What an owner left becomes the caller's at once. `anyone`: the caller may have what is left for whoever comes. */
  pickUp(
    principal: Principal,
    args: { sessionKey: string; anyone: boolean; reason?: string } & Pick<WriteOptions, 'idempotencyKey'>,
  ): Promise<Outcome<HandoffView>>;
  /** The work of a silent owner becomes the caller's at once, where the policy lets it. */
  take(
    principal: Principal,
    args: { sessionKey: string; reason?: string; permit?: TakePermit } & Pick<WriteOptions, 'idempotencyKey'>,
    connection: Connection,
  ): Promise<Outcome<HandoffView>>;
  /**
   * A person who holds the data folder gives the work of a silent owner to an agent; with `now` also that of one that is not
   * silent yet. Offers under way are cancelled with it.
   */
  takeFor(
    principal: Principal,
    args: { sessionKey: string; to: string; now: boolean; reason?: string } & Pick<
      WriteOptions,
      'idempotencyKey'
    >,
  ): Promise<Outcome<HandoffView>>;
  /**
   * The work of a silent owner becomes the taker's at once; the caller's, unless a person asks for another. The caller of this
   * has made sure that the policy holds for the principal, and brings the owner's last sign of life outside the log.
   */
  takeOver(
    principal: Principal,
    args: {
      sessionKey: string;
      taker?: string;
      policy: TakeOverPolicy;
      lastSignAt: number;
      reason?: string;
      permit?: TakePermit;
    } & Pick<WriteOptions, 'idempotencyKey'>,
  ): Promise<Outcome<HandoffView>>;
  listHandoffs(
    principal: Principal,
    args: {
      box: 'inbox' | 'outbox' | 'all';
      status?: HandoffView['status'];
      cursor?: string;
      limit?: number;
      room?: PageRoom<HandoffView>;
    },
  ): Promise<Outcome<{ readonly handoffs: readonly HandoffView[]; readonly nextCursor?: string }>>;
  getHandoff(principal: Principal, handoffId: string): Promise<Outcome<HandoffView>>;
  acceptHandoff(
    principal: Principal,
    args: {
      handoffId: string;
      reason?: string;
      /** The answer shows what it is about. */
      shown?: true;
    } & Pick<WriteOptions, 'idempotencyKey'>,
  ): Promise<Outcome<HandoffView>>;
  declineHandoff(
    principal: Principal,
    args: { handoffId: string; reason?: string } & Pick<WriteOptions, 'idempotencyKey'>,
  ): Promise<Outcome<HandoffView>>;
  sendHandoffContext(
    principal: Principal,
    args: {
      handoffId: string;
      contentType: string;
      content: string;
      name?: string;
      encoding?: 'utf8' | 'base64';
    } & Pick<WriteOptions, 'idempotencyKey'>,
  ): Promise<Outcome<HandoffView>>;
  commitHandoff(
    principal: Principal,
    args: {
      handoffId: string;
      action?: string;
      authorityScope?: string;
      reason?: string;
      outcomePositive?: boolean;
    } & Pick<WriteOptions, 'idempotencyKey'>,
  ): Promise<Outcome<HandoffView>>;
  cancelHandoff(
    principal: Principal,
    args: { handoffId: string; reason?: string },
  ): Promise<Outcome<HandoffView>>;
  /** Resolves at the first change after `since` (an opaque mark), or with the present state when the time is over. */
  waitForHandoff(
    principal: Principal,
    args: { handoffId?: string; since?: string; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<
    Outcome<{ readonly changed: boolean; readonly handoffs: readonly HandoffView[]; readonly mark: string }>
  >;
  listSessions(
    principal: Principal,
    args: { agent?: string; activeOnly: boolean; cursor?: string; limit?: number },
  ): Promise<Outcome<{ readonly sessions: readonly WorklogView[]; readonly nextCursor?: string }>>;
  /**
   * Those that the caller may read, and those that it may take over, now or later; the newest activity first, of one project
   * or of all. `complete` false: there are too many to sort them all.
   */
  newestSessions(
    principal: Principal,
    args: { project?: string; status: 'active' | 'completed' | 'all'; cursor?: string; limit: number },
    connection: Pick<Connection, 'transport' | 'project'>,
  ): Promise<
    Outcome<{
      readonly sessions: readonly SessionRow[];
      readonly hasMore: boolean;
      readonly complete: boolean;
    }>
  >;
  /** What others left for the caller, or for whoever comes next: the newest first. */
  leftSessions(
    principal: Principal,
    args: { project?: string },
    connection: Pick<Connection, 'transport'>,
  ): Promise<readonly LeftSession[]>;
  /** The caller's offers that came to nothing, until their work is offered again, left or closed: the newest first. */
  returnedOffers(principal: Principal, wanted: ReturnedWanted): Promise<readonly ReturnedOffer[]>;
  /** How many active working sessions the caller may read, up to a bound. */
  countActiveSessions(principal: Principal): Promise<number>;
  getSession(principal: Principal, sessionKey: string): Promise<Outcome<WorklogView>>;
  /** Entries in order, at most `limit` and at most a page of bytes. */
  readContext(
    principal: Principal,
    args: { sessionKey: string; afterSequence: number; limit?: number },
  ): Promise<Outcome<{ readonly entries: readonly ContextEntryView[]; readonly hasMore: boolean }>>;
  /** Entries in order, from a number on or the last so many: at most `limit` and about `bytes`, but at least one. */
  readEntries(
    principal: Principal,
    args: {
      of: { sessionKey: string } | { handoffId: string };
      from: number;
      last?: number;
      limit: number;
      bytes: number;
    },
    /** From where: of work that lists name to the caller there, the refusal says more. */
    connection?: Pick<Connection, 'transport' | 'project'>,
  ): Promise<Outcome<EntriesRead>>;
  searchContext(
    principal: Principal,
    args: { query: string; sessionKey?: string; project?: string; cursor?: string; limit?: number },
  ): Promise<Outcome<SearchPage>>;
  summarize(
    principal: Principal,
    sessionKey: string,
  ): Promise<Outcome<Brief & { readonly generatedAt: number }>>;
  /**
   * The frozen package, with its entries paged, and what was sent beside it. Readable by both sides, also before an answer. An
   * offer over MACP has no package.
   */
  getPackage(
    principal: Principal,
    args: { handoffId: string; afterSequence?: number; limit?: number; bytes?: number },
  ): Promise<
    Outcome<
      AttachmentList & {
        readonly package: ReadPackage | null;
        /** Of an offer over MACP, in place of that of a package. */
        readonly brief?: Brief;
        readonly entries: readonly ContextEntryView[];
        readonly hasMore: boolean;
        /** Why there are none, when the package names some: the offer failed, or the working session is gone. */
        readonly entriesWithheld?: string;
      }
    >
  >;
  readAttachment(
    principal: Principal,
    args: { handoffId: string; attachment: number },
  ): Promise<Outcome<SentContent>>;
  /** A signed receipt of a finished handoff. */
  getReceipt(principal: Principal, handoffId: string): Promise<Outcome<JsonObject>>;
}
