/** Working sessions: their context, each kind of handoff with each of its ends, and their life. */
import {
  ANYONE,
  CloseOutcome,
  ContextType,
  ParkedBy,
  RequestType,
  type Takers,
  type WorklogCommand,
} from '@handover/core';
import { silentAnswer } from './silent-answer.js';
import type { Stories, Story } from './story.js';
import { aboutWork, DAY, type Work } from './work.js';
import { admin, alice, bob, carol, operator } from './world.js';

const ENDS: Readonly<Record<string, (work: Work, type: RequestType) => Promise<void>>> = {
  offered: async (work, type) => {
    await work.offer(alice, 'bob', type);
  },
  accepted: async (work, type) => {
    await work.accept(bob, await work.offer(alice, 'bob', type));
  },
  committed: async (work, type) => {
    const handoff = await work.offer(alice, 'bob', type);
    await work.sendLate(alice, handoff);
    await work.accept(bob, handoff);
    await work.write(alice, 'meanwhile');
    await work.commit(alice, handoff);
    if (type !== RequestType.ContextTransfer) await work.write(bob, 'continued');
  },
  'auto-committed': async (work, type) => {
    await work.accept(bob, await work.offer(alice, 'bob', type, true));
    if (type !== RequestType.ContextTransfer) await work.write(bob, 'continued');
  },
  declined: async (work, type) => {
    await work.decline(bob, await work.offer(alice, 'bob', type));
  },
  'auto-declined': async (work, type) => {
    await work.decline(bob, await work.offer(alice, 'bob', type, true));
  },
  cancelled: async (work, type) => {
    await work.cancel(alice, await work.offer(alice, 'bob', type));
  },
  expired: async (work, type) => {
    await work.offer(alice, 'bob', type);
    await work.wait(5 * DAY);
  },
};

const handoffs: Record<string, Story> = {};
for (const type of Object.values(RequestType))
  for (const [end, tell] of Object.entries(ENDS))
    handoffs[`worklog/${type.replace('_', '-')}-${end}`] = aboutWork(async (work) => {
      await work.write(alice, 'the work so far');
      await tell(work, type);
    });

const PAYLOAD = new TextEncoder().encode('{}');
const close = { kind: 'close', outcome: CloseOutcome.Done, payload: PAYLOAD } as const;
const reopen = { kind: 'reopen', payload: PAYLOAD } as const;

function left(work: Work, takers: Takers, by: ParkedBy = ParkedBy.Owner, event?: string): WorklogCommand {
  const until = work.now() + 7 * DAY;
  const requestType = RequestType.FullHandoff;
  return { kind: 'park', takers, requestType, until, by, payload: PAYLOAD, ...(event && { event }) };
}

export const worklogStories: Stories = {
  'worklog/registered': aboutWork(async () => {}),
  'worklog/context-of-each-kind': aboutWork(async (work) => {
    await work.write(alice, 'use SQLite', { metadata: { note: 'decision' } });
    for (const contextType of Object.values(ContextType))
      await work.write(alice, contextType, { contextType });
    await work.write(alice, 'use PostgreSQL', {
      metadata: { note: { decision: 'PostgreSQL', supersedes: 1 } },
    });
    await work.write(alice, 'no key', { idempotencyKey: 'asked twice', expectedSequence: 6 });
    await work.write(alice, 'no key', { idempotencyKey: 'asked twice', expectedSequence: 6 });
  }),
  ...handoffs,
  'worklog/left-for-others': aboutWork(async (work) => {
    await work.ask(alice, left(work, ['bob']));
    await work.ask(alice, left(work, []));
    await work.ask(alice, left(work, [ANYONE], ParkedBy.Hook, 'StopFailure'));
    await work.write(alice, 'back again');
    await work.ask(alice, left(work, [ANYONE]));
    await work.ask(alice, left(work, ['carol']));
    await work.decline(carol, await work.offer(alice, 'carol'));
    await work.ask(alice, left(work, ['carol']));
    await work.offer(alice, 'carol');
    await work.wait(2 * DAY);
  }),
  'worklog/picked-up': aboutWork(async (work) => {
    await work.write(alice, 'the work so far');
    await work.ask(alice, left(work, ['bob']));
    await work.wait(3 * DAY);
    await work.pickUp(bob);
    await work.write(bob, 'continued');
    await work.ask(bob, left(work, [ANYONE]));
    await work.pickUp(carol);
  }),
  'worklog/taken-over': aboutWork(async (work) => {
    await work.write(alice, 'the work so far');
    await work.wait(600_000);
    await work.take(bob, { policy: { by: 'silent', afterSecs: 600 } });
    await work.offer(bob, 'carol');
    const now = { by: 'person', afterSecs: 0 } as const;
    await work.take(operator, { taker: 'alice', policy: now });
    await work.write(alice, 'back with alice');
    await work.take(admin, { policy: { by: 'admin', afterSecs: 0 } });
  }),
  'worklog/closed-and-reopened': aboutWork(async (work) => {
    await work.ask(alice, left(work, ['bob']));
    await work.ask(alice, close);
    await work.ask(alice, reopen);
    await work.write(alice, 'not done after all');
    await work.ask(alice, { ...close, outcome: CloseOutcome.Abandoned });
  }),
  'worklog/closed-then-archived': aboutWork(async (work) => {
    await work.ask(alice, close);
    await work.wait(100 * DAY);
  }),
  'worklog/declined-then-passed-on-twice': aboutWork(async (work) => {
    await work.decline(bob, await work.offer(alice, 'bob'));
    await work.accept(bob, await work.offer(alice, 'bob', RequestType.FullHandoff, true));
    await work.write(bob, 'from bob');
    await work.accept(carol, await work.offer(bob, 'carol', RequestType.FullHandoff, true));
    await work.write(carol, 'from carol');
  }),
  'worklog/collaborator-becomes-owner': aboutWork(async (work) => {
    await work.accept(bob, await work.offer(alice, 'bob', RequestType.Collaboration, true));
    await work.write(bob, 'together');
    await work.accept(bob, await work.offer(alice, 'bob', RequestType.Collaboration, true));
    await work.accept(bob, await work.offer(alice, 'bob', RequestType.FullHandoff, true));
  }),
  'worklog/given-away-before-an-answer': aboutWork(async (work) => {
    const shared = await work.offer(alice, 'carol', RequestType.Collaboration, true);
    await work.accept(bob, await work.offer(alice, 'bob', RequestType.FullHandoff, true));
    await work.accept(carol, shared);
  }),
  'worklog/silence-accepts': silentAnswer('implicit_accept_timeout_ms'),
  'worklog/silence-declines': silentAnswer('implicit_decline_timeout_ms'),
  'worklog/dormant': aboutWork((work) => work.wait(8 * DAY)),
  'worklog/awake-again': aboutWork(async (work) => {
    await work.wait(8 * DAY);
    await work.write(alice, 'back');
    await work.wait(8 * DAY);
    await work.offer(alice, 'bob');
  }),
  'worklog/expired': aboutWork((work) => work.wait(31 * DAY)),
  'worklog/archived': aboutWork((work) => work.wait(121 * DAY)),
  'worklog/purged': aboutWork(async (work) => {
    await work.accept(bob, await work.offer(alice, 'bob', RequestType.FullHandoff, true));
    await work.wait(500 * DAY);
  }),
  'worklog/lifetimes-changed': aboutWork(async (work) => {
    const { settings } = work.world;
    await work.write(alice, 'under the first settings');
    const lifetimes = { ...settings.now.lifetimes, dormantAfterMs: 3 * DAY, expireAfterMs: 2 * DAY };
    settings.now = { ...settings.now, lifetimes };
    await work.write(alice, 'under the second');
    await work.write(alice, 'and again');
    await work.wait(2.5 * DAY);
  }),
};
