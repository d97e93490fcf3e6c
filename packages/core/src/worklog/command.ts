import type { CommitRule } from './commit-rule.js';
import type { ParkedBy, Takers } from './parked.js';
import type { CloseOutcome, Lifetimes, Project } from './state.js';
import type { TakeOver } from './take-over.js';

export const ContextType = {
  Message: 'message',
  File: 'file',
  ToolCall: 'tool_call',
  System: 'system',
} as const;
export type ContextType = (typeof ContextType)[keyof typeof ContextType];

/** How a handoff of a working session came to its end, as the session that carried it says. */
export type HandoffOutcome = 'committed' | 'declined' | 'cancelled' | 'expired';

/** What can be asked of a working session. Payloads are JSON bytes that the door has made; core does not look inside. */
export type WorklogCommand =
  | {
      readonly kind: 'register';
      readonly id: string;
      readonly lifetimes: Lifetimes;
      readonly payload: Uint8Array;
      readonly project?: Project;
      /** The window of the assistant that asks. */
      readonly instance?: string;
      /** Set when a hook of this client opened it, for this conversation of it. */
      readonly client?: string;
      readonly clientSession?: string;
    }
  | {
      readonly kind: 'addContext';
      readonly entryId: string;
      readonly contextType: string;
      readonly payload: Uint8Array;
      readonly lifetimes: Lifetimes;
      /** The last number the writer has seen; absent: it does not matter. */
      readonly expectedSequence?: number;
      readonly instance?: string;
      /** Kinds of the notes in it. */
      readonly kinds?: readonly string[];
      /** A hook wrote it: it says nothing about whether the owner is there. */
      readonly capture?: boolean;
    }
  | {
      readonly kind: 'park';
      /** None: what was left for others is withdrawn. */
      readonly takers: Takers;
      readonly requestType: string;
      readonly until: number;
      readonly by: ParkedBy;
      /** What the hook reported. */
      readonly event?: string;
      readonly payload: Uint8Array;
    }
  | { readonly kind: 'close'; readonly outcome: CloseOutcome; readonly payload: Uint8Array }
  | { readonly kind: 'reopen'; readonly payload: Uint8Array }
  | {
      readonly kind: 'requestHandoff';
      readonly sessionId: string;
      readonly handoffId: string;
      readonly target: string;
      readonly requestType: string;
      readonly upTo: number;
      readonly payload: Uint8Array;
      readonly expectedSequence?: number;
      readonly rule?: CommitRule;
      /** A pick-up: the number of the instruction in the log that allows it. */
      readonly standing?: number;
      readonly takeOver?: TakeOver;
    }
  /** From the bound session, never from a door. */
  | { readonly kind: 'handoffEnded'; readonly sessionId: string; readonly outcome: HandoffOutcome };
