/**
 * Ambient messages in flight: never stored, never ordered with sessions, lost when nobody listens. A listener that
 * does not keep up gets a fault and has to listen again.
 */
import { type Envelope, FaultCode, HandoverError } from '@handover/core';

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

const BUFFER = 256;

interface Listener {
  readonly principal: SignalListener;
  readonly buffer: Envelope[];
  wake: (() => void) | undefined;
  lagged: boolean;
}

export class SignalBus {
  readonly #listeners = new Set<Listener>();

  publish({ tenant, envelope, audience }: AmbientMessage): void {
    for (const listener of this.#listeners) {
      const { principal } = listener;
      if (principal.tenant !== tenant || (audience && !principal.isObserver && !audience(principal.agent)))
        continue;
      if (listener.buffer.length >= BUFFER) listener.lagged = true;
      else listener.buffer.push(envelope);
      listener.wake?.();
    }
  }

  /** Listening begins with the call, not with the first pull. */
  listen(principal: SignalListener, signal: AbortSignal): AsyncGenerator<Envelope> {
    const listener: Listener = { principal, buffer: [], wake: undefined, lagged: false };
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => {
      this.#listeners.delete(listener);
      listener.wake?.();
    });
    return this.#pull(listener, signal);
  }

  async *#pull(listener: Listener, signal: AbortSignal): AsyncGenerator<Envelope> {
    try {
      while (!signal.aborted) {
        const envelope = listener.buffer.shift();
        if (envelope) yield envelope;
        else if (listener.lagged)
          throw new HandoverError(FaultCode.LAGGED, 'signals came faster than they were read', {
            next: 'retryable',
          });
        else
          await new Promise<void>((resolve) => {
            listener.wake = resolve;
          });
        listener.wake = undefined;
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}
