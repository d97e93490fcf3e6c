/** A working session that alice registered, and what is ok with it. Keys make its ids the same in every recording. */
import { RequestType, StreamKind, type TakeOverPolicy, type WorklogCommand } from '@handover/core';
import { ok } from '../../kit/outcomes.js';
import type { Recorded, Story } from './story.js';
import { alice, createRecordingWorld, type RecordingWorld } from './world.js';

export const DAY = 86_400_000;
type Principal = typeof alice;
type Context = Omit<Parameters<RecordingWorld['handoffs']['updateContext']>[1], 'sessionKey'>;

export async function startWork(story: string) {
  const world = createRecordingWorld(story);
  const { handoffs, clock } = world;
  const sessionKey = story;
  const ref = { tenant: 'default', kind: StreamKind.Worklog, id: sessionKey } as const;
  const sessions: string[] = [];
  let asked = 0;
  const key = () => ({ idempotencyKey: `${story} ${++asked}` });
  await ok(
    handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice', metadata: { goal: 'ship' }, ...key() }),
  );
  return {
    world,
    ref,
    /** The sessions that carried a handoff of this work, in order. */
    sessions,
    write: async (who: Principal, content: string, more: Partial<Context> = {}) => {
      clock.now += 1_000;
      await ok(
        handoffs.updateContext(who, { sessionKey, contextType: 'message', content, ...key(), ...more }),
      );
    },
    offer: async (
      who: Principal,
      targetAgent: string,
      requestType: RequestType = RequestType.FullHandoff,
      autoCommit = false,
    ) => {
      clock.now += 1_000;
      const requestData = { instructions: 'take over where I left' };
      const made = await ok(
        handoffs.requestHandoff(who, {
          sessionKey,
          targetAgent,
          requestType,
          requestData,
          autoCommit,
          ...key(),
        }),
      );
      sessions.push(made.macpSessionId);
      return made.handoffId;
    },
    accept: async (who: Principal, handoffId: string) => {
      clock.now += 1_000;
      await ok(handoffs.acceptHandoff(who, { handoffId, reason: 'gladly', ...key() }));
    },
    decline: async (who: Principal, handoffId: string) => {
      clock.now += 1_000;
      await ok(handoffs.declineHandoff(who, { handoffId, reason: 'no time', ...key() }));
    },
    commit: async (who: Principal, handoffId: string) => {
      clock.now += 1_000;
      await ok(handoffs.commitHandoff(who, { handoffId, ...key() }));
    },
    cancel: async (who: Principal, handoffId: string) => {
      clock.now += 1_000;
      await ok(handoffs.cancelHandoff(who, { handoffId, reason: 'not needed any more' }));
    },
    sendLate: async (who: Principal, handoffId: string) => {
      clock.now += 1_000;
      const late = { contentType: 'text/plain', content: 'one more thing' };
      await ok(handoffs.sendHandoffContext(who, { handoffId, ...late, ...key() }));
    },
    /** What no tool of this server asks for yet, as its decider understands it. */
    ask: async (who: Principal, command: WorklogCommand) => {
      clock.now += 1_000;
      const step = { stream: ref, command, messageId: key().idempotencyKey };
      const answer = await world.engine.submit({ agent: who.agent, steps: [step], bytes: 512 });
      if (!answer.ok) throw new Error(answer.rejection.message);
    },
    /** What its owner left. */
    pickUp: async (who: Principal) => {
      clock.now += 1_000;
      const picked = await ok(
        handoffs.pickUp(who, { sessionKey, anyone: true, reason: 'mine now', ...key() }),
      );
      sessions.push(picked.macpSessionId);
    },
    take: async (who: Principal, more: { taker?: string; policy: TakeOverPolicy }) => {
      clock.now += 1_000;
      const taken = await ok(handoffs.takeOver(who, { sessionKey, lastSignAt: 0, ...more, ...key() }));
      sessions.push(taken.macpSessionId);
    },
    now: () => clock.now,
    /** Lets time pass; what falls due in the work or in a session that carries it is recorded. */
    wait: async (ms: number) => {
      clock.now += ms;
      for (const id of sessions)
        await world.engine.query({ tenant: 'default', kind: StreamKind.Session, id });
      await world.engine.query(ref);
    },
  };
}

export type Work = Awaited<ReturnType<typeof startWork>>;

/** A story about one working session, and about the sessions that carried it. */
export function aboutWork(tell: (work: Work) => Promise<unknown>): Story {
  return async (name) => {
    const work = await startWork(name);
    await tell(work);
    const { world, ref, sessions } = work;
    const carriers: Recorded[] = [];
    for (const [i, id] of sessions.entries()) {
      const session = { tenant: 'default', kind: StreamKind.Session, id } as const;
      const number = sessions.length === 1 ? '' : `-${i + 1}`;
      const file = `session/of-${name.replace('worklog/', '')}${number}`;
      carriers.push({ name: file, ref: session, entries: await world.history(session) });
    }
    return [{ name, ref, entries: await world.history(ref) }, ...carriers];
  };
}
