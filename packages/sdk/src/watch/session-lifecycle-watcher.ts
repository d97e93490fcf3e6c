/**
 * Lifecycle events without gaps and without repetition.
 *
 * A new connection begins with one CREATED per session that is there, in its current state. Events of known sessions
 * are dropped; a session whose state changed meanwhile gets the event that was missed. This needs a table of the
 * sessions seen, one short entry each, for as long as one iteration runs.
 */
import type { SessionStateName } from '@handover/wire';
import type { MacpClient } from '../client/client.js';
import type { LifecycleEventType, SessionLifecycleEvent } from '../client/types.js';
import type { WatchOptions } from '../client/watches.js';
import { first, forEach, Watcher } from './watcher.js';

const MISSED: Readonly<Record<SessionStateName, LifecycleEventType>> = {
  UNSPECIFIED: 'UNSPECIFIED',
  OPEN: 'RESUMED',
  RESOLVED: 'RESOLVED',
  EXPIRED: 'EXPIRED',
  SUSPENDED: 'SUSPENDED',
  CANCELLED: 'CANCELLED',
};

/** Watches what happens to the sessions that the caller may see; reconnects and tells what it missed. */
export class SessionLifecycleWatcher extends Watcher<SessionLifecycleEvent> {
  protected override connect(
    client: MacpClient,
    options: WatchOptions,
  ): AsyncGenerator<SessionLifecycleEvent> {
    return client.watchSessions(options);
  }

  /** Each event once: first one CREATED per session that is there, then what happens. */
  async *changes(signal?: AbortSignal): AsyncGenerator<SessionLifecycleEvent, void, void> {
    const known = new Map<string, SessionStateName>();
    for await (const event of this.iterate(signal)) {
      const { sessionId, state } = event.session;
      const before = known.get(sessionId);
      known.set(sessionId, state);
      if (event.eventType !== 'CREATED' || before === undefined) yield event;
      else if (before !== state) yield { ...event, eventType: MISSED[state] };
    }
  }

  /** Calls the handler for each event, one after another, until the signal fires. */
  watch(
    handler: (event: SessionLifecycleEvent) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    return forEach(this.changes(signal), handler);
  }

  /** The next event. */
  nextChange(signal?: AbortSignal): Promise<SessionLifecycleEvent> {
    return first(this.changes(signal));
  }
}
