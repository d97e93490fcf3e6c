import type { Envelope } from '../envelope/envelope.js';
import type { SessionBinding } from './binding.js';

export const Control = { Cancel: 'cancel', Suspend: 'suspend', Resume: 'resume' } as const;
export type Control = (typeof Control)[keyof typeof Control];

/** What can be asked of a session. The sender is in the stamp; the envelope's own sender has been made equal to it. */
export type SessionCommand =
  | {
      readonly kind: 'envelope';
      readonly envelope: Envelope;
      readonly binding?: SessionBinding;
      /** Given by replay: the revision under which the recorded session began. */
      readonly rev?: number;
    }
  | {
      readonly kind: 'control';
      readonly control: Control;
      readonly reason: string;
      /** The server asks in this name, not in that of the sender. */
      readonly by?: string;
    };
