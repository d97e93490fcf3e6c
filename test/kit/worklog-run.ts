/** One working session under its decider alone, with methods for its commands. */
import {
  type Lifetimes,
  StreamKind,
  type WorklogCommand,
  type WorklogState,
  worklogDecider,
} from '@handover/core';
import { codec } from './codec.js';
import { DeciderRun } from './decider-run.js';

export const DAY = 86_400_000;
export const LIFETIMES: Lifetimes = {
  dormantAfterMs: 7 * DAY,
  expireAfterMs: 30 * DAY,
  archiveAfterMs: 90 * DAY,
  purgeAfterMs: 365 * DAY,
};
export const bytesOf = (text: string): Uint8Array => codec.utf8(text);
const ref = { tenant: 'default', kind: StreamKind.Worklog, id: 'work' };

export class WorklogRun extends DeciderRun<WorklogState, WorklogCommand> {
  readonly ref = ref;

  constructor() {
    super(worklogDecider, ref);
  }

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

  wait(ms: number): void {
    this.clock.now += ms;
    this.tick();
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
}
