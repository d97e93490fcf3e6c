/** What a fixture asks of a door, in the same terms for every door. */
import type { Envelope } from '@handover/core';
import type { Refused } from '../../kit/refused.js';
import type { ExpectedDenial, JsonObject } from '../fixture-types.js';

/** An envelope to be sent. The payload is bytes, or fields that each door encodes in its own way. */
export interface Message {
  readonly head: Omit<Envelope, 'payload'>;
  readonly payload: { readonly bytes: Uint8Array } | { readonly fields: JsonObject; readonly type: string };
}

export interface DoorAck {
  readonly ok: boolean;
  readonly duplicate: boolean;
  readonly messageId: string;
  readonly sessionId: string;
  readonly acceptedAt: number;
  /** `OPEN`, ...; `UNSPECIFIED` on a rejection. */
  readonly state: string;
  readonly code: string;
  readonly denials: readonly ExpectedDenial[] | undefined;
  readonly message: string;
}

/** Field names as in the canonical JSON, integers as numbers. */
export type Metadata = Readonly<Record<string, unknown>>;

export interface Door {
  send(message: Message, bearer: string | undefined): Promise<DoorAck>;
  control(
    control: 'cancel' | 'suspend' | 'resume',
    sessionId: string,
    reason: string,
    bearer: string | undefined,
  ): Promise<DoorAck | Refused>;
  get(sessionId: string, bearer: string | undefined): Promise<Metadata | Refused>;
  /** Everything that is accepted by now. */
  history(sessionId: string, bearer: string | undefined): Promise<readonly Envelope[] | Refused>;
  close(): void;
}
