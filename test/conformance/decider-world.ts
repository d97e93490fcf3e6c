/**
 * Core's deciders without engine, store or doors: enough of a runtime to run those fixtures that are about rules alone.
 * It authenticates nobody, stores nothing and does not limit rates; the whole server is judged by its own runner. A start
 * with names that nobody may have is refused as the services do it, where a decider would take it.
 */
import {
  checkShape,
  type Decision,
  type Envelope,
  type ModesCommand,
  modesDecider,
  type PoliciesCommand,
  policiesDecider,
  type SessionCommand,
  type SessionState,
  StreamKind,
  sessionDecider,
} from '@handover/core';
import { reservedNameFlaw } from '../../packages/server/src/services/macp/reserved-names.js';
import { T0 } from '../kit/clock.js';
import { codec } from '../kit/codec.js';
import { DeciderRun } from '../kit/decider-run.js';

const MAX_PAYLOAD = 1_048_576;

export type SessionRun = DeciderRun<SessionState, SessionCommand>;

const refOf = <K extends StreamKind>(kind: K, id: string) => ({ tenant: 'default', kind, id });

export class DeciderWorld {
  now = T0;
  readonly #sessions = new Map<string, SessionRun>();
  readonly #policies = new DeciderRun(policiesDecider, refOf(StreamKind.Policies, 'policies'), {
    clock: this,
  });
  readonly #modes = new DeciderRun(modesDecider, refOf(StreamKind.Modes, 'modes'), { clock: this });

  /** The session as it stands now, due timers recorded. */
  session(id: string): SessionRun | undefined {
    const session = this.#sessions.get(id);
    session?.tick();
    return session;
  }

  send(envelope: Envelope, agent: string): Decision {
    const flaw = checkShape(envelope, MAX_PAYLOAD);
    if (flaw !== undefined) return { kind: 'rejected', rejection: flaw };
    const command = { kind: 'envelope', envelope } as const;
    const reserved = reservedNameFlaw(envelope, codec);
    if (!reserved || this.#sessions.has(envelope.sessionId))
      return this.ask(envelope.sessionId, command, agent);
    // In a session that nobody keeps.
    const decision = this.#newSession(envelope.sessionId).decide(agent, command, envelope.messageId);
    return decision.kind === 'accepted' ? { kind: 'rejected', rejection: reserved } : decision;
  }

  ask(id: string, command: SessionCommand, agent: string): Decision {
    const session = this.#sessions.get(id) ?? this.#newSession(id);
    const messageId = command.kind === 'envelope' ? command.envelope.messageId : undefined;
    const decision = session.decide(agent, command, messageId);
    if (session.state !== undefined) this.#sessions.set(id, session);
    return decision;
  }

  policies(command: PoliciesCommand, agent: string): Decision {
    return this.#policies.decide(agent, command);
  }

  modes(command: ModesCommand, agent: string): Decision {
    return this.#modes.decide(agent, command);
  }

  /** Folds the entries again from nothing. */
  replay({ entries }: SessionRun): SessionState | undefined {
    return entries.reduce<SessionState | undefined>(
      (state, entry) => sessionDecider.evolve(state, entry),
      undefined,
    );
  }

  #newSession(id: string): SessionRun {
    const consulted = () => ({
      [StreamKind.Policies]: this.#policies.state,
      [StreamKind.Modes]: this.#modes.state,
    });
    return new DeciderRun(sessionDecider, refOf(StreamKind.Session, id), { clock: this, consulted });
  }
}
