/** Any sequence of requests by anybody, with time passing between them, leaves a working session in order. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codec } from '../../../../test/kit/codec.js';
import { DAY, WorklogRun } from '../../../../test/kit/worklog-run.js';
import { mayWrite, RequestType, readableUpTo, verifyStream, WorklogStatus } from '../index.js';

const AGENTS = ['alice', 'bob', 'carol'];
const anAgent = fc.constantFrom(...AGENTS);
const aSession = fc.constantFrom('s1', 's2', 's3', 's4', 's5', 's6');
const anAct = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('add' as const), by: anAgent }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('request' as const),
      by: anAgent,
      to: anAgent,
      type: fc.constantFrom(...Object.values(RequestType)),
      session: aSession,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('end' as const),
      session: aSession,
      outcome: fc.constantFrom('committed', 'declined', 'cancelled', 'expired'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 40 }) }),
  },
);
type Act = typeof anAct extends fc.Arbitrary<infer T> ? T : never;

function perform(work: WorklogRun, act: Act, used: Set<string>): void {
  switch (act.act) {
    case 'add': {
      const before = work.worklog;
      const said = work.add(act.by);
      const { status } = work.worklog;
      if (said === 'accepted') expect(mayWrite(before, act.by)).toBe(true);
      else if (mayWrite(before, act.by))
        expect(said).toBe(status === WorklogStatus.Purged ? 'SESSION_NOT_FOUND' : 'SESSION_EXPIRED');
      return;
    }
    case 'request': {
      // A session id is used once, as the runtime makes sure.
      if (used.has(act.session)) return;
      const underWay = work.worklog.pending.some(({ requestType }) => requestType === 'full_handoff');
      const said = work.request(act.by, act.to, act.type, act.session);
      if (said !== 'accepted') return;
      used.add(act.session);
      expect(act.by).toBe(work.worklog.owner);
      expect(act.type === 'full_handoff' && underWay).toBe(false);
      return;
    }
    case 'end': {
      const handoff = work.worklog.pending.find(({ sessionId }) => sessionId === act.session);
      const { owner } = work.worklog;
      expect(work.end(act.session, act.outcome)).toBe('accepted');
      const moved = handoff?.requestType === 'full_handoff' && act.outcome === 'committed';
      expect(work.worklog.owner).toBe(moved ? handoff.target : owner);
      return;
    }
    case 'wait':
      work.wait(act.days * DAY);
  }
}

describe('working sessions', () => {
  it('keep numbers dense, one owner, at most one full handoff, and a log that replays', () => {
    fc.assert(
      fc.property(fc.array(anAct, { maxLength: 60 }), (acts) => {
        const work = new WorklogRun();
        work.register('alice');
        const used = new Set<string>();
        for (const act of acts) {
          perform(work, act, used);
          const { pending, owner, collaborators, grants, lastNumber } = work.worklog;
          expect(pending.filter(({ requestType }) => requestType === 'full_handoff').length).toBeLessThan(2);
          expect(collaborators).not.toContain(owner);
          expect(new Set(collaborators).size).toBe(collaborators.length);
          for (const { upTo } of grants) expect(upTo).toBeLessThanOrEqual(lastNumber);
        }
        expect(work.numbers).toEqual(work.numbers.map((_, index) => index + 1));
        expect(verifyStream(work.ref, work.entries, codec)).toMatchObject({ ok: true });
      }),
      { numRuns: 1_000 },
    );
  });

  it('never let anybody read more than before without a handoff, and never less without a purge', () => {
    fc.assert(
      fc.property(fc.array(anAct, { maxLength: 60 }), (acts) => {
        const work = new WorklogRun();
        work.register('alice');
        const used = new Set<string>();
        for (const act of acts) {
          const before = work.worklog;
          perform(work, act, used);
          if (work.worklog.status === WorklogStatus.Purged) return;
          for (const agent of AGENTS) {
            const [then, now] = [readableUpTo(before, agent), readableUpTo(work.worklog, agent)];
            if (then !== undefined) expect(now).toBeGreaterThanOrEqual(then);
            if (then === undefined && now !== undefined) expect(act.act).toBe('end');
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
