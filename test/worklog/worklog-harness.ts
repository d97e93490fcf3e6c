/** One working session under its decider alone: ticks, decides, folds, as the engine does. */
import {
  type Decision,
  type Entry,
  GENESIS,
  headOf,
  type Lifetimes,
  type SeenMessage,
  StreamKind,
  seal,
  type WorklogCommand,
  type WorklogState,
  worklogDecider,
} from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { T0 } from './world.js';

export const DAY = 86_400_000;
export const LIFETIMES: Lifetimes = {
  dormantAfterMs: 7 * DAY,
  expireAfterMs: 30 * DAY,
  archiveAfterMs: 90 * DAY,
  purgeAfterMs: 365 * DAY,
};
export const bytesOf = (text: string): Uint8Array => codec.utf8(text);
const ref = { tenant: 'default', kind: StreamKind.Worklog, id: 'work' };
const context = { codec, consulted: {} };
const SALT = new Uint8Array(16);

export class WorklogHarness {
  readonly ref = ref;
  readonly entries: Entry[] = [];
  state: WorklogState | undefined;
  now = T0;

  get worklog(): WorklogState {
    if (!this.state) throw new Error('nothing is registered');
    return this.state;
  }

  get numbers(): readonly number[] {
    return this.entries.filter(({ type }) => type === 'ContextAdded').map(({ facts }) => Number(facts.n));
  }

  /** 'accepted', 'duplicate', or the code of the refusal. */
  ask(agent: string, command: WorklogCommand, messageId?: string): string {
    const decision = this.decide(agent, command, messageId);
    return decision.kind === 'rejected' ? decision.rejection.code : decision.kind;
  }

  decide(agent: string, command: WorklogCommand, messageId?: string): Decision {
    this.tick();
    const seen = messageId === undefined ? undefined : this.#find(messageId);
    const stamp = {
      at: this.now,
      seq: this.entries.length + 1,
      agent,
      ...(messageId !== undefined && { messageId }),
      ...(seen && { seen }),
    };
    const decision = worklogDecider.decide(this.state, command, stamp, context);
    if (decision.kind === 'accepted') for (const draft of decision.drafts) this.#append(draft);
    return decision;
  }

  wait(ms: number): void {
    this.now += ms;
    this.tick();
  }

  tick(): void {
    for (;;) {
      const due = this.state && worklogDecider.due(this.state);
      if (!this.state || due === undefined || due > this.now) return;
      this.#append(worklogDecider.tick(this.state, context));
    }
  }

  register(agent = 'alice', lifetimes = LIFETIMES, messageId?: string): string {
    return this.ask(agent, { kind: 'register', id: 'an-id', lifetimes, payload: bytesOf('{}') }, messageId);
  }

  add(
    agent: string,
    more: { expectedSequence?: number; text?: string; lifetimes?: Lifetimes } = {},
    id?: string,
  ) {
    const { text = 'text', lifetimes = LIFETIMES, ...rest } = more;
    const command = { kind: 'addContext', entryId: 'e', contextType: 'message', lifetimes, ...rest } as const;
    return this.ask(agent, { ...command, payload: bytesOf(text) }, id);
  }

  request(agent: string, target: string, requestType: string, sessionId: string, id?: string): string {
    const upTo = this.state?.lastNumber ?? 0;
    const payload = bytesOf(`${target} ${requestType}`);
    const command = {
      kind: 'requestHandoff',
      sessionId,
      handoffId: 'h1',
      target,
      requestType,
      upTo,
    } as const;
    return this.ask(agent, { ...command, payload }, id);
  }

  end(
    sessionId: string,
    outcome: 'committed' | 'declined' | 'cancelled' | 'expired',
    agent = 'alice',
  ): string {
    return this.ask(agent, { kind: 'handoffEnded', sessionId, outcome });
  }

  #append(draft: Parameters<typeof seal>[3]): void {
    const last = this.entries.at(-1);
    const entry = seal(codec, ref, last ? headOf(last) : GENESIS, draft, this.now, SALT);
    this.state = worklogDecider.evolve(this.state, entry);
    this.entries.push(entry);
  }

  #find(messageId: string): SeenMessage | undefined {
    return this.entries.find((entry) => entry.messageId === messageId);
  }
}
