/**
 * Tells watches of sessions what happened. A session is read once for each entry, whoever watches, and only those who may
 * see it are looked up.
 */
import {
  CoreMessageType,
  type EntryHead,
  EXPIRED_TYPE,
  FaultCode,
  HandoverError,
  membersOf,
  type SessionMetadata,
  type SessionState,
  StreamKind,
  sessionMetadata,
} from '@handover/core';
import type { Engine } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { Groups } from '../../platform/groups.js';
import type { Listener } from '../listening/listener.js';
import type { Desk, Post } from '../listening/log-watch.js';
import type { Mailbox } from '../listening/mailbox.js';
import type { Mailroom } from '../listening/mailroom.js';
import { type OpenedMailbox, openMailbox } from '../listening/open-mailbox.js';

export const LifecycleEvent = {
  Created: 'CREATED',
  Resolved: 'RESOLVED',
  Expired: 'EXPIRED',
  Suspended: 'SUSPENDED',
  Resumed: 'RESUMED',
  Cancelled: 'CANCELLED',
} as const;
export type LifecycleEvent = (typeof LifecycleEvent)[keyof typeof LifecycleEvent];

export interface SessionLifecycle {
  readonly event: LifecycleEvent;
  readonly session: SessionMetadata;
  readonly observedAtUnixMs: number;
}

const EVENTS: ReadonlyMap<string, LifecycleEvent> = new Map([
  [CoreMessageType.SessionStart, LifecycleEvent.Created],
  [CoreMessageType.Commitment, LifecycleEvent.Resolved],
  [EXPIRED_TYPE, LifecycleEvent.Expired],
  [CoreMessageType.SessionSuspend, LifecycleEvent.Suspended],
  [CoreMessageType.SessionResume, LifecycleEvent.Resumed],
  [CoreMessageType.SessionCancel, LifecycleEvent.Cancelled],
]);

export class SessionWatch implements Desk {
  readonly #engine: Engine;
  readonly #room: Mailroom;
  readonly #now: () => number;
  readonly #members = new Groups<Mailbox<SessionLifecycle>>();
  readonly #observers = new Groups<Mailbox<SessionLifecycle>>();

  constructor(engine: Engine, room: Mailroom, now: () => number) {
    this.#engine = engine;
    this.#room = room;
    this.#now = now;
  }

  async read({ type, stream }: EntryHead): Promise<Post | undefined> {
    const event = EVENTS.get(type);
    if (!event || stream.kind !== StreamKind.Session) return undefined;
    const session = (await this.#engine.query(stream).catch(undefinedIfDamaged))?.state;
    if (!session) return undefined;
    const { participantActivity: _, ...metadata } = sessionMetadata(session);
    const lifecycle = {
      event,
      session: { ...metadata, participantActivity: [] },
      observedAtUnixMs: this.#now(),
    };
    const bytes = Buffer.byteLength(JSON.stringify(lifecycle));
    return () => this.#room.send(lifecycle, bytes, this.#concerned(stream.tenant, session));
  }

  close(fault?: HandoverError): void {
    for (const boxes of [this.#members, this.#observers])
      for (const box of [...boxes.values()]) box.close(fault);
  }

  open({ tenant, agent, isObserver }: Principal, listener: Listener): OpenedMailbox<SessionLifecycle> {
    const [boxes, key] = isObserver ? [this.#observers, tenant] : [this.#members, keyOf(tenant, agent)];
    return openMailbox(this.#room, boxes, key, listener);
  }

  *#concerned(tenant: string, session: SessionState): Generator<Mailbox<SessionLifecycle>> {
    yield* this.#observers.get(tenant);
    for (const agent of membersOf(session)) yield* this.#members.get(keyOf(tenant, agent));
  }
}

const keyOf = (tenant: string, agent: string): string => `${tenant}\n${agent}`;

/** A session whose history is damaged can be shown to nobody. The other sessions can. */
function undefinedIfDamaged(thrown: unknown): undefined {
  if (HandoverError.from(thrown).code === FaultCode.DATA_LOSS) return undefined;
  throw thrown;
}
