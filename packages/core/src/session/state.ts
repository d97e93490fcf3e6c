/** State of a session: the fold of its entries, small enough to keep many in memory. */

import type { AnyMode, ModeRun } from '../modes/registry.js';
import type { FrozenPolicy } from '../policy/descriptor.js';
import type { SessionBinding } from './binding.js';
import type { Controls } from './ordinals.js';

export const SessionStatus = {
  Open: 'OPEN',
  Suspended: 'SUSPENDED',
  Resolved: 'RESOLVED',
  Expired: 'EXPIRED',
  Cancelled: 'CANCELLED',
} as const;
export type SessionStatus = (typeof SessionStatus)[keyof typeof SessionStatus];

export interface ParticipantActivity {
  readonly participant: string;
  readonly lastMessageAt: number;
  readonly messages: number;
}

export interface SessionState {
  readonly id: string;
  /** The revision of the rules under which it began. */
  readonly rev: number;
  readonly mode: AnyMode;
  readonly modeVersion: string;
  readonly configurationVersion: string;
  readonly policy: FrozenPolicy;
  readonly initiator: string;
  readonly participants: readonly string[];
  readonly contextId: string;
  readonly extensionKeys: readonly string[];
  readonly status: SessionStatus;
  readonly startedAt: number;
  /** The last millisecond at which a message is in time, while open. */
  readonly deadline: number;
  readonly maxSuspendMs: number;
  readonly suspendedAt?: number;
  readonly suspendedTotalMs: number;
  /** In order of first activity; SessionStart, controls and synthetic answers do not count. */
  readonly activity: readonly ParticipantActivity[];
  /** The mode with its state and with the frozen rules as it reads them. */
  readonly run: ModeRun;
  readonly seq: number;
  /** The sequences of the entries that have no ordinal: suspend, resume, cancel and expiry, in order. */
  readonly controls: Controls;
  /** Set when a working session's owner opened this one through the server. */
  readonly binding?: SessionBinding;
  /** Set by the Commitment. */
  readonly outcomePositive?: boolean;
}

export function isTerminal(status: SessionStatus): boolean {
  return (
    status === SessionStatus.Resolved ||
    status === SessionStatus.Expired ||
    status === SessionStatus.Cancelled
  );
}

/** Members may read and are heard: initiator, participants, and senders that the policy designates. */
export function isMember(session: SessionState, agent: string): boolean {
  return (
    agent === session.initiator ||
    session.participants.includes(agent) ||
    session.run.authority.designatedRoles.includes(agent)
  );
}

export function membersOf({ initiator, participants, run }: SessionState): ReadonlySet<string> {
  return new Set([initiator, ...participants, ...run.authority.designatedRoles]);
}

/** A session may name no participants: then anybody may speak or, in a strict mode, nobody. */
export function maySpeak(session: SessionState, agent: string): boolean {
  return session.participants.length === 0 ? !session.mode.strict : isMember(session, agent);
}
