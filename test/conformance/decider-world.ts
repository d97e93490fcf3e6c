/**
 * Core's deciders without engine, store or doors: enough of a runtime to run those fixtures that are about rules alone.
 * It authenticates nobody, stores nothing and does not limit rates; the whole server is judged by its own runner.
 */
import {
  type ChainHead,
  checkShape,
  type Decider,
  type Decision,
  type Draft,
  type Entry,
  type Envelope,
  GENESIS,
  headOf,
  type ModesCommand,
  type ModesState,
  modesDecider,
  type PoliciesCommand,
  type PoliciesState,
  policiesDecider,
  type SessionCommand,
  type SessionState,
  StreamKind,
  seal,
  sessionDecider,
} from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';

const SALT = new Uint8Array(16);
const MAX_PAYLOAD = 1_048_576;

export interface Stream<State> {
  readonly entries: Entry[];
  head: ChainHead;
  state: State | undefined;
}

const empty = <State>(): Stream<State> => ({ entries: [], head: GENESIS, state: undefined });

export class DeciderWorld {
  now = 1_700_000_000_000;
  readonly #sessions = new Map<string, Stream<SessionState>>();
  readonly #policies = empty<PoliciesState>();
  readonly #modes = empty<ModesState>();

  /** The session as it stands now, due timers recorded. */
  session(id: string): Stream<SessionState> | undefined {
    const stream = this.#sessions.get(id);
    while (stream?.state !== undefined) {
      const due = sessionDecider.due(stream.state);
      if (due === undefined || due > this.now) break;
      this.#append(sessionDecider, stream, id, [sessionDecider.tick(stream.state, this.#context())]);
    }
    return stream;
  }

  send(envelope: Envelope, agent: string): Decision {
    const flaw = checkShape(envelope, MAX_PAYLOAD);
    if (flaw !== undefined) return { kind: 'rejected', rejection: flaw };
    return this.ask(envelope.sessionId, { kind: 'envelope', envelope }, agent);
  }

  ask(id: string, command: SessionCommand, agent: string): Decision {
    const stream = this.session(id) ?? empty<SessionState>();
    const messageId = command.kind === 'envelope' ? command.envelope.messageId : '';
    const decision = this.#decide(sessionDecider, stream, id, command, agent, messageId);
    if (stream.state !== undefined) this.#sessions.set(id, stream);
    return decision;
  }

  policies(command: PoliciesCommand, agent: string): Decision {
    return this.#decide(policiesDecider, this.#policies, 'policies', command, agent, '');
  }

  modes(command: ModesCommand, agent: string): Decision {
    return this.#decide(modesDecider, this.#modes, 'modes', command, agent, '');
  }

  /** Folds the entries again from nothing. */
  replay(stream: Stream<SessionState>): SessionState | undefined {
    return stream.entries.reduce<SessionState | undefined>(
      (state, entry) => sessionDecider.evolve(state, entry),
      undefined,
    );
  }

  #context() {
    const consulted = { [StreamKind.Policies]: this.#policies.state, [StreamKind.Modes]: this.#modes.state };
    return { codec, consulted };
  }

  #decide<State, Command>(
    decider: Decider<State, Command>,
    stream: Stream<State>,
    id: string,
    command: Command,
    agent: string,
    messageId: string,
  ): Decision {
    const seen = stream.entries.find((entry) => messageId !== '' && entry.messageId === messageId);
    const base = { at: Math.max(this.now, stream.head.at), seq: stream.head.seq + 1, agent };
    const stamp = seen === undefined ? base : { ...base, seen };
    const decision = decider.decide(stream.state, command, stamp, this.#context());
    if (decision.kind === 'accepted') this.#append(decider, stream, id, decision.drafts);
    return decision;
  }

  #append<State, Command>(
    decider: Decider<State, Command>,
    stream: Stream<State>,
    id: string,
    drafts: readonly Draft[],
  ): void {
    for (const draft of drafts) {
      const ref = { tenant: 'default', kind: decider.kind, id };
      const entry = seal(codec, ref, stream.head, draft, this.now, SALT);
      stream.entries.push(entry);
      stream.head = headOf(entry);
      stream.state = decider.evolve(stream.state, entry);
    }
  }
}
