/** The rules of a working session, W1 to W4, one by one. */

import { beforeEach, describe, expect, it } from 'vitest';
import { T0 } from '../../../../test/kit/clock.js';
import { codec } from '../../../../test/kit/codec.js';
import { DAY, LIFETIMES, WorklogRun } from '../../../../test/kit/worklog-run.js';
import { mayWrite, readableUpTo, verifyStream, worklogStatusOf } from '../index.js';

let work: WorklogRun;

beforeEach(() => {
  work = new WorklogRun();
  work.register('alice');
});

const handOver = (target: string, requestType: string, sessionId = `s-${target}-${requestType}`) => {
  expect(work.request(work.worklog.owner, target, requestType, sessionId)).toBe('accepted');
  expect(work.end(sessionId, 'committed')).toBe('accepted');
};

describe('who may do what (W1, W4)', () => {
  it('takes context from the owner and its collaborators, from nobody else', () => {
    expect(work.add('alice')).toBe('accepted');
    expect(work.add('bob')).toBe('SESSION_NOT_FOUND');
    handOver('bob', 'collaboration');
    expect(work.add('bob')).toBe('accepted');
    expect(work.add('carol')).toBe('SESSION_NOT_FOUND');
  });

  it('lets only the owner hand over', () => {
    handOver('bob', 'collaboration');
    expect(work.request('bob', 'carol', 'full_handoff', 's2')).toBe('FORBIDDEN');
    expect(work.request('alice', 'alice', 'full_handoff', 's2')).toBe('VALIDATION_ERROR');
    expect(work.request('carol', 'dave', 'full_handoff', 's2')).toBe('SESSION_NOT_FOUND');
  });

  it('says that a key is taken, to anyone; to a stranger that is all', () => {
    expect(work.register('bob')).toBe('CONFLICT');
    expect(new WorklogRun().add('alice')).toBe('SESSION_NOT_FOUND');
  });

  it('moves the owner, keeps who registered, and leaves the old owner what it could read', () => {
    work.add('alice');
    work.add('alice');
    handOver('bob', 'full_handoff');
    expect(work.worklog).toMatchObject({ owner: 'bob', agentFrom: 'alice', collaborators: [] });
    expect(work.add('alice')).toBe('FORBIDDEN');
    expect(work.add('bob')).toBe('accepted');
    expect(readableUpTo(work.worklog, 'alice')).toBe(2);
    expect(readableUpTo(work.worklog, 'bob')).toBe(3);
    expect(readableUpTo(work.worklog, 'carol')).toBeUndefined();
  });

  it('makes a collaborator who becomes the owner no collaborator any more', () => {
    handOver('bob', 'collaboration');
    handOver('bob', 'full_handoff');
    expect(work.worklog).toMatchObject({ owner: 'bob', collaborators: [] });
    handOver('alice', 'full_handoff', 'back');
    expect(mayWrite(work.worklog, 'bob')).toBe(false);
    expect(work.add('alice')).toBe('accepted');
  });

  it('delivers a frozen range with context_transfer, and no more', () => {
    work.add('alice');
    expect(work.request('alice', 'bob', 'context_transfer', 's1')).toBe('accepted');
    work.add('alice');
    expect(readableUpTo(work.worklog, 'bob')).toBeUndefined();
    work.end('s1', 'committed');
    expect(readableUpTo(work.worklog, 'bob')).toBe(1);
    expect(work.add('bob')).toBe('FORBIDDEN');
  });
});

describe('numbers and retries (W2)', () => {
  it('counts context entries from 1, whatever stands between them', () => {
    work.add('alice');
    work.request('alice', 'bob', 'collaboration', 's1');
    work.add('alice');
    work.end('s1', 'committed');
    work.add('bob');
    expect(work.numbers).toEqual([1, 2, 3]);
  });

  it('takes an expected number as the last one seen, and tells the present one', () => {
    expect(work.add('alice', { expectedSequence: 0 })).toBe('accepted');
    const payload = new Uint8Array(0);
    const late = { kind: 'addContext', entryId: 'e', contextType: 'message', lifetimes: LIFETIMES } as const;
    expect(work.decide('alice', { ...late, payload, expectedSequence: 0 })).toMatchObject({
      rejection: { code: 'CONFLICT', details: { currentSequence: 1 } },
    });
    expect(work.add('alice', { expectedSequence: 1 })).toBe('accepted');
  });

  it('knows a retry by its id and bytes, also after the work was given away', () => {
    expect(work.add('alice', {}, 'key')).toBe('accepted');
    expect(work.add('alice', {}, 'key')).toBe('duplicate');
    expect(work.add('alice', { text: 'other' }, 'key')).toBe('CONFLICT');
    handOver('bob', 'full_handoff');
    expect(work.add('alice', {}, 'key')).toBe('duplicate');
    expect(work.add('bob', {}, 'key')).toBe('CONFLICT');
    expect(work.numbers).toEqual([1]);
  });

  it('knows a registration that is sent again', () => {
    const again = new WorklogRun();
    expect(again.register('alice', LIFETIMES, 'key')).toBe('accepted');
    expect(again.register('alice', LIFETIMES, 'key')).toBe('duplicate');
    expect(again.register('bob', LIFETIMES, 'key')).toBe('CONFLICT');
  });
});

describe('handoffs under way (W3)', () => {
  it('allows one full handoff at a time and any number of others beside it', () => {
    expect(work.request('alice', 'bob', 'full_handoff', 's1')).toBe('accepted');
    expect(work.request('alice', 'carol', 'full_handoff', 's2')).toBe('CONFLICT');
    expect(work.request('alice', 'carol', 'collaboration', 's3')).toBe('accepted');
    expect(work.request('alice', 'dave', 'context_transfer', 's4')).toBe('accepted');
  });

  it.each(['declined', 'cancelled', 'expired'] as const)('is free again when one was %s', (outcome) => {
    work.request('alice', 'bob', 'full_handoff', 's1');
    expect(work.end('s1', outcome)).toBe('accepted');
    expect(work.worklog).toMatchObject({ owner: 'alice', pending: [], grants: [] });
    expect(work.request('alice', 'carol', 'full_handoff', 's2')).toBe('accepted');
  });

  it('ends each once: a second ending appends nothing', () => {
    work.request('alice', 'bob', 'full_handoff', 's1');
    work.end('s1', 'declined');
    const { length } = work.entries;
    expect(work.end('s1', 'committed')).toBe('accepted');
    expect(work.end('unknown', 'committed')).toBe('accepted');
    expect(work.entries).toHaveLength(length);
    expect(work.worklog.owner).toBe('alice');
  });
});

describe('a life with an end', () => {
  it('is dormant, expired, archived and purged, each at its time', () => {
    work.wait(400 * DAY + 400 * DAY);
    expect(work.entries.map(({ type, at }) => [type, (at - T0) / DAY])).toEqual([
      ['WorklogRegistered', 0],
      ['WorklogDormant', 7],
      ['WorklogExpired', 30],
      ['WorklogArchived', 120],
      ['WorklogPurged', 485],
    ]);
    expect(verifyStream(work.ref, work.entries, codec)).toMatchObject({ ok: true });
  });

  it('wakes when something is written, and counts from there', () => {
    work.wait(8 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('dormant');
    expect(work.add('alice')).toBe('accepted');
    expect(worklogStatusOf(work.worklog)).toBe('active');
    work.wait(29 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('dormant');
    work.wait(DAY);
    expect(worklogStatusOf(work.worklog)).toBe('expired');
  });

  it('takes nothing once it is expired, says so, and is still readable; purged it is not', () => {
    work.add('alice');
    work.wait(31 * DAY);
    expect(work.add('alice')).toBe('SESSION_EXPIRED');
    expect(work.request('alice', 'bob', 'full_handoff', 's')).toBe('SESSION_EXPIRED');
    expect(readableUpTo(work.worklog, 'alice')).toBe(1);
    work.wait(90 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('archived');
    expect(readableUpTo(work.worklog, 'alice')).toBe(1);
    work.wait(365 * DAY);
    expect(readableUpTo(work.worklog, 'alice')).toBeUndefined();
    expect(work.add('alice')).toBe('SESSION_NOT_FOUND');
    expect(work.register('alice')).toBe('CONFLICT');
  });

  it('waits while a handoff is under way', () => {
    work.request('alice', 'bob', 'full_handoff', 's');
    work.wait(100 * DAY);
    expect(worklogStatusOf(work.worklog)).toBe('active');
    work.end('s', 'committed');
    expect(work.add('bob')).toBe('accepted');
  });

  it('takes changed lifetimes with the next entry, and records them', () => {
    work.add('alice', { lifetimes: { ...LIFETIMES, dormantAfterMs: DAY } });
    expect(work.entries.at(-1)?.facts).toHaveProperty('lifetimes');
    work.wait(DAY);
    expect(worklogStatusOf(work.worklog)).toBe('dormant');
  });
});
