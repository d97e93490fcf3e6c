import type { Envelope } from '../envelope/envelope.js';

export const Control = { Cancel: 'cancel', Suspend: 'suspend', Resume: 'resume' } as const;
export type Control = (typeof Control)[keyof typeof Control];

/**
 * What a session moves when it ends: the working session whose owner opened it. Only the server binds, never a client,
 * so the binding is part of the command and not of the envelope.
 */
export interface SessionBinding {
  readonly worklog: string;
  readonly requestType: string;
  /** The number of the last context entry that is handed over. */
  readonly upTo: number;
  /** The runtime commits for the owner as soon as the target has answered. */
  readonly autoCommit: boolean;
}

/** What can be asked of a session. The sender is in the stamp; the envelope's own sender has been made equal to it. */
export type SessionCommand =
  | { readonly kind: 'envelope'; readonly envelope: Envelope; readonly binding?: SessionBinding }
  | { readonly kind: 'control'; readonly control: Control; readonly reason: string };
