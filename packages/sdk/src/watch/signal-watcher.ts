import type { Envelope } from '@handover/core';
import type { MacpClient } from '../client/client.js';
import type { WatchOptions } from '../client/watches.js';
import { first, forEach, Watcher } from './watcher.js';

/** Watches signals and progress. The runtime does not store them: those sent while the connection is down are lost. */
export class SignalWatcher extends Watcher<Envelope> {
  protected override connect(client: MacpClient, options: WatchOptions): AsyncGenerator<Envelope> {
    return client.watchSignals(options);
  }
  /** Signals as they are sent. */
  signals(signal?: AbortSignal): AsyncGenerator<Envelope, void, void> {
    return this.iterate(signal);
  }
  /** Calls the handler for each signal, one after another, until the signal fires. */
  watch(handler: (envelope: Envelope) => void | Promise<void>, signal?: AbortSignal): Promise<void> {
    return forEach(this.signals(signal), handler);
  }
  /** The next signal. */
  nextSignal(signal?: AbortSignal): Promise<Envelope> {
    return first(this.signals(signal));
  }
}
