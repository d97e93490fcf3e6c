/** One working session under its decider alone, with methods for its commands. */
import {
  ANYONE,
  type Lifetimes,
  type ParkedBy,
  StreamKind,
  type TakeOver,
  type Takers,
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
    more: {
      expectedSequence?: number;
      text?: string;
      lifetimes?: Lifetimes;
      capture?: boolean;
      instance?: string;
      kinds?: readonly string[];
    } = {},
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

  /** For anyone and for a week, unless it says otherwise. */
  park(agent: string, takers: Takers = [ANYONE], more: ParkOptions = {}): string {
    const { requestType = 'full_handoff', by = 'owner', forMs = 7 * DAY, ...rest } = more;
    const until = this.clock.now + forMs;
    return this.ask(agent, { kind: 'park', takers, requestType, until, by, ...rest, payload: bytesOf('{}') });
  }

  close(agent: string, outcome: 'done' | 'abandoned' = 'done'): string {
    return this.ask(agent, { kind: 'close', outcome, payload: bytesOf('{}') });
  }

  reopen(agent: string): string {
    return this.ask(agent, { kind: 'reopen', payload: bytesOf('{}') });
  }

  /** By the instruction that stands there now, or by the one with this number. */
  pickUp(
    agent: string,
    sessionId: string,
    { standing = this.state?.parked?.seq ?? 0, requestType = 'full_handoff' } = {},
  ): string {
    return this.ask(agent, { ...this.#asked(agent, requestType, sessionId), standing });
  }

  take(agent: string, sessionId: string, takeOver: Partial<TakeOver> = {}): string {
    const policy = { by: 'silent', afterSecs: 600 } as const;
    const from = this.worklog.owner;
    return this.ask(agent, {
      ...this.#asked(agent, 'full_handoff', sessionId),
      takeOver: { from, lastSignAt: 0, policy, ...takeOver },
    });
  }

  #asked(target: string, requestType: string, sessionId: string) {
    const upTo = this.state?.lastNumber ?? 0;
    const payload = bytesOf('{}');
    return {
      kind: 'requestHandoff',
      sessionId,
      handoffId: 'h1',
      target,
      requestType,
      upTo,
      payload,
    } as const;
  }
}

interface ParkOptions {
  readonly requestType?: string;
  readonly by?: ParkedBy;
  readonly event?: string;
  readonly forMs?: number;
}
