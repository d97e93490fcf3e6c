/** Closing and reopening (W8; assistants:1.6, K1). */

import { beforeEach, describe, expect, it } from 'vitest';
import { codec } from '../../../../test/kit/codec.js';
import { DAY, WorklogRun } from '../../../../test/kit/worklog-run.js';
import { liveInstruction, readableUpTo, verifyStream, worklogStatusOf } from '../index.js';

let work: WorklogRun;

beforeEach(() => {
  work = new WorklogRun();
  work.register('alice');
  work.add('alice');
});

describe('closing', () => {
  it('ends writing, not reading, and is undone by the owner', () => {
    expect(work.close('alice', 'abandoned')).toBe('accepted');
    expect(work.worklog).toMatchObject({ status: 'completed', outcome: 'abandoned' });
    const refused = work.decide('alice', { kind: 'park', ...LEFT });
    expect(refused).toMatchObject({
      rejection: { code: 'SESSION_EXPIRED', details: { currentStatus: 'completed' } },
    });
    expect(work.add('alice')).toBe('SESSION_EXPIRED');
    expect(work.request('alice', 'bob', 'full_handoff', 's')).toBe('SESSION_EXPIRED');
    expect(work.take('bob', 's', { policy: { by: 'person', afterSecs: 0 } })).toBe('SESSION_EXPIRED');
    expect(readableUpTo(work.worklog, 'alice')).toBe(1);
    expect(work.reopen('alice')).toBe('accepted');
    expect(work.worklog.outcome).toBeUndefined();
    expect(work.add('alice')).toBe('accepted');
    expect(verifyStream(work.ref, work.entries, codec)).toMatchObject({ ok: true });
  });

  it('is for the owner alone', () => {
    work.request('alice', 'bob', 'collaboration', 's');
    work.end('s', 'committed');
    expect(work.close('bob')).toBe('FORBIDDEN');
    expect(work.close('carol')).toBe('SESSION_NOT_FOUND');
    work.close('alice');
    expect(work.reopen('bob')).toBe('FORBIDDEN');
  });

  it('twice is once, and so is reopening', () => {
    work.close('alice');
    expect(work.close('alice', 'abandoned')).toBe('accepted');
    expect(work.worklog.outcome).toBe('done');
    work.reopen('alice');
    expect(work.reopen('alice')).toBe('accepted');
    const types = work.entries.map(({ type }) => type);
    expect(types.slice(2)).toEqual(['WorklogClosed', 'WorklogReopened']);
  });

  it('waits for a full handoff, and names it; other handoffs do not keep it open', () => {
    work.request('alice', 'carol', 'context_transfer', 's0');
    work.request('alice', 'bob', 'full_handoff', 's1');
    const command = { kind: 'close', outcome: 'done', payload: new Uint8Array(0) } as const;
    expect(work.decide('alice', command)).toMatchObject({
      rejection: { code: 'CONFLICT', details: { handoffId: 's1:h1' } },
    });
    work.end('s1', 'cancelled');
    expect(work.close('alice')).toBe('accepted');
    work.end('s0', 'committed');
    expect(work.worklog.status).toBe('completed');
  });

  it('ends what was left for others, for good', () => {
    work.park('alice', ['bob']);
    work.close('alice');
    work.reopen('alice');
    expect(liveInstruction(work.worklog, work.clock.now)).toBeUndefined();
  });

  it('lets time run from then: archived and purged like what has expired', () => {
    work.wait(5 * DAY);
    work.close('alice');
    work.wait(89 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('completed');
    work.wait(DAY);
    expect(worklogStatusOf(work.worklog)).toBe('archived');
    expect(work.reopen('alice')).toBe('SESSION_EXPIRED');
    expect(work.close('alice')).toBe('SESSION_EXPIRED');
    work.wait(365 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('purged');
  });

  it('makes it as fresh as new when it is reopened', () => {
    work.wait(8 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('dormant');
    work.close('alice');
    work.wait(80 * DAY);
    work.reopen('alice');
    expect(worklogStatusOf(work.worklog)).toBe('active');
    work.wait(6 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('active');
  });
});

const LEFT = {
  takers: ['*'],
  requestType: 'full_handoff',
  until: Number.MAX_SAFE_INTEGER,
  by: 'owner',
  payload: new Uint8Array(0),
} as const;
