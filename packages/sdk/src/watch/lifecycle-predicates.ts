import type { LifecycleEventType, SessionLifecycleEvent } from '../client/types.js';

type Event = Pick<SessionLifecycleEvent, 'eventType'>;

/** The kinds of events after which nothing happens to a session any more. */
export const TERMINAL_SESSION_LIFECYCLE_EVENT_TYPES: ReadonlySet<LifecycleEventType> = new Set([
  'RESOLVED',
  'EXPIRED',
  'CANCELLED',
]);

/** True for the first event of a session. */
export const isSessionCreated = (event: Event): boolean => event.eventType === 'CREATED';
/** True when a Commitment ended the session. */
export const isSessionResolved = (event: Event): boolean => event.eventType === 'RESOLVED';
/** True when its time ran out. */
export const isSessionExpired = (event: Event): boolean => event.eventType === 'EXPIRED';
/** True when it was cancelled. */
export const isSessionCancelled = (event: Event): boolean => event.eventType === 'CANCELLED';
/** True when it was suspended. */
export const isSessionSuspended = (event: Event): boolean => event.eventType === 'SUSPENDED';
/** True when it was resumed. */
export const isSessionResumed = (event: Event): boolean => event.eventType === 'RESUMED';
/** True when the session has ended, in whatever way. */
export const isTerminalSessionLifecycleEvent = (event: Event): boolean =>
  TERMINAL_SESSION_LIFECYCLE_EVENT_TYPES.has(event.eventType);
