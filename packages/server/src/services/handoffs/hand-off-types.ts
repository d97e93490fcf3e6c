/** What a handoff in one call is asked with, and what it answers. */
import type { Brief, RequestType } from '@handover/core';
import type { NewSession } from './new-session.js';
import type { OtherWindow } from './other-window.js';
import type { ReplacedWork } from './replaced-goal.js';
import type { SessionWarning } from './session-warnings.js';
import type { HandoffView } from './types.js';

/** What one call may say: characters of a text, items of a list, bytes of what is written in Markdown. */
export const HAND_OFF_MOST = {
  characters: 4_000,
  fileCharacters: 500,
  briefBytes: 65_536,
  attachments: 20,
  items: { next: 20, open: 50, decisions: 50, tried: 50, done: 50, files: 200 },
} as const;

/** What its owner says to whoever takes the work over. Empty texts say nothing. */
export interface HandOffSaid {
  readonly goal?: string;
  readonly next?: readonly string[];
  readonly open?: readonly string[];
  readonly decisions?: readonly string[];
  readonly tried?: readonly string[];
  readonly done?: readonly string[];
  readonly files?: readonly string[];
  /** Markdown. */
  readonly brief?: string;
}

export interface HandOffAttachment {
  readonly name: string;
  readonly content: string;
  readonly contentType?: string;
  readonly encoding?: 'utf8' | 'base64';
}

export interface HandOffArgs extends HandOffSaid {
  /** Absent, or the caller itself: whoever comes next. */
  readonly to?: string;
  /** Whom `to` means, where that is known by a name in other letters. */
  readonly meant?: string;
  readonly attachments?: readonly HandOffAttachment[];
  /** Absent: the one that the caller is at, else a new one. */
  readonly sessionKey?: string;
  readonly requestType?: RequestType;
  readonly autoCommit?: boolean;
  readonly policy?: string;
  /** In seconds. */
  readonly expiresIn?: number;
  readonly idempotencyKey?: string;
}

export interface HandOffView {
  readonly sessionKey: string;
  readonly handoffId?: string;
  readonly status: HandoffView['status'];
  readonly phase: HandoffView['phase'] | 'parked';
  readonly to?: string;
  readonly expiresAt: number;
  /** Of the last entry that goes with it. */
  readonly sequenceNumber: number;
  readonly brief: Pick<Brief, 'tokens' | 'tokenBudget' | 'omitted'>;
  readonly attachments: number;
  readonly instruction: string;
  readonly warnings: readonly SessionWarning[];
  readonly otherWindow?: OtherWindow;
  /** What is left without a name is for its owner alone here. */
  readonly onlyYours?: true;
  /** Of the work that stood handed over in the session, and has another goal now. */
  readonly replaced?: ReplacedWork;
  /** The offer that it took the place of: nobody ever had the name of its target. */
  readonly replacedTarget?: { readonly was: string; readonly handoffId: string };
  /** It went into a session of its own, and the caller may have meant another one. */
  readonly newSession?: NewSession;
}
