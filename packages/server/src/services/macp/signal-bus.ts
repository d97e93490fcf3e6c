/**
 * Ambient messages in flight: never stored, never ordered with sessions, lost when nobody listens. What a listener has
 * not read waits in its mailbox (services/listening/mailroom.ts); if too much waits, its call ends.
 */
import type { Envelope } from '@handover/core';
import { Groups } from '../../platform/groups.js';
import type { Listener } from '../listening/listener.js';
import type { Mailbox } from '../listening/mailbox.js';
import type { Mailroom } from '../listening/mailroom.js';

export interface AmbientMessage {
  readonly tenant: string;
  readonly envelope: Envelope;
  /** Who may see it; undefined: everybody of the tenant. */
  readonly audience?: (agent: string) => boolean;
}

export interface SignalListener {
  readonly tenant: string;
  readonly agent: string;
  readonly isObserver: boolean;
}

interface Ear {
  readonly who: SignalListener;
  readonly box: Mailbox<Envelope>;
}

/** What an envelope costs besides its payload. */
const ENVELOPE_BYTES = 1_024;

export class SignalBus {
  readonly #room: Mailroom;
  readonly #ears = new Groups<Ear>();

  constructor(room: Mailroom) {
    this.#room = room;
  }

  publish({ tenant, envelope, audience }: AmbientMessage): void {
    const boxes: Mailbox<Envelope>[] = [];
    for (const { who, box } of this.#ears.get(tenant))
      if (!audience || who.isObserver || audience(who.agent)) boxes.push(box);
    this.#room.send(envelope, envelope.payload.length + ENVELOPE_BYTES, boxes);
  }

  /** Listening begins with the call, not with the first pull. */
  listen(who: SignalListener, listener: Listener, signal: AbortSignal): AsyncGenerator<Envelope> {
    const ear: Ear = { who, box: this.#room.open(listener) };
    this.#ears.add(who.tenant, ear);
    const end = () => {
      this.#ears.delete(who.tenant, ear);
      ear.box.close();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return ear.box.items();
  }
}
