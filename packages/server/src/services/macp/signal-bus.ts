/**
 * Ambient messages in flight: never stored, never ordered with sessions, lost when nobody listens. What a listener has
 * not read waits in its mailbox (services/listening/mailroom.ts); if too much waits, its call ends.
 */
import type { Envelope } from '@handover/core';
import { Groups } from '../../platform/groups.js';
import type { Listener } from '../listening/listener.js';
import type { Mailbox } from '../listening/mailbox.js';
import type { Mailroom } from '../listening/mailroom.js';

export interface Signal {
  readonly envelope: Envelope;
  /** The sender comes from a verified credential (docs/spec/macp-2026.md 3.6). */
  readonly senderAuthenticated: boolean;
}

export interface AmbientMessage {
  readonly tenant: string;
  readonly signal: Signal;
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
  readonly box: Mailbox<Signal>;
}

/** What an envelope costs besides its payload. */
const ENVELOPE_BYTES = 1_024;

export class SignalBus {
  readonly #room: Mailroom;
  readonly #ears = new Groups<Ear>();

  constructor(room: Mailroom) {
    this.#room = room;
  }

  publish({ tenant, signal, audience }: AmbientMessage): void {
    const boxes: Mailbox<Signal>[] = [];
    for (const { who, box } of this.#ears.get(tenant))
      if (!audience || who.isObserver || audience(who.agent)) boxes.push(box);
    this.#room.send(signal, signal.envelope.payload.length + ENVELOPE_BYTES, boxes);
  }

  /** Listening begins with the call, not with the first pull. */
  listen(who: SignalListener, listener: Listener, signal: AbortSignal): AsyncGenerator<Signal> {
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
