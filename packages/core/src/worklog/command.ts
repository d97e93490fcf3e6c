import type { Lifetimes } from './state.js';

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
    }
  | {
      readonly kind: 'addContext';
      readonly entryId: string;
      readonly contextType: string;
      readonly payload: Uint8Array;
      readonly lifetimes: Lifetimes;
      /** The last number the writer has seen; absent: it does not matter. */
      readonly expectedSequence?: number;
    }
  | {
      readonly kind: 'requestHandoff';
      readonly sessionId: string;
      readonly handoffId: string;
      readonly target: string;
      readonly requestType: string;
      readonly upTo: number;
      readonly payload: Uint8Array;
      readonly expectedSequence?: number;
    }
  /** From the bound session, never from a door. */
  | { readonly kind: 'handoffEnded'; readonly sessionId: string; readonly outcome: HandoffOutcome };
