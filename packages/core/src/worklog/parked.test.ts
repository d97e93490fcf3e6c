/** The standing instruction (W5, W6; assistants:2.2). */

import { beforeEach, describe, expect, it } from 'vitest';
import { codec } from '../../../../test/kit/codec.js';
import { DAY, WorklogRun } from '../../../../test/kit/worklog-run.js';
import { liveInstruction, verifyStream } from '../index.js';

let work: WorklogRun;
const isLeft = () => liveInstruction(work.worklog, work.clock.now) !== undefined;

beforeEach(() => {
  work = new WorklogRun();
  work.register('alice');
  work.add('alice');
});

describe('who leaves it, and for whom', () => {
  it('is the owner alone, for another and for a time to come', () => {
    expect(work.park('bob')).toBe('SESSION_NOT_FOUND');
    expect(work.park('alice', ['alice'])).toBe('VALIDATION_ERROR');
    expect(work.park('alice', ['bob'], { forMs: 0 })).toBe('VALIDATION_ERROR');
    expect(work.park('alice', ['bob'])).toBe('accepted');
    expect(work.worklog.parked).toMatchObject({ seq: 3, takers: ['bob'], by: 'owner' });
    work.request('alice', 'carol', 'collaboration', 's');
    work.end('s', 'committed');
    expect(work.park('carol')).toBe('FORBIDDEN');
  });

  it('names its taker in lists, and says until when', () => {
    work.park('alice', ['bob']);
    const audit = verifyStream(work.ref, work.entries, codec);
    expect(audit).toMatchObject({
      ok: true,
      listing: { summary: { parked: { takers: ['bob'], until: work.clock.now + 7 * DAY } } },
      involved: [
        { agent: 'alice', role: 'source' },
        { agent: 'bob', role: 'taker' },
      ],
    });
  });

  it('is not the hook while the owner has said something, nor while an offer is under way', () => {
    work.park('alice', ['bob']);
    const { length } = work.entries;
    expect(work.park('alice', ['*'], { by: 'hook', event: 'StopFailure' })).toBe('accepted');
    expect(work.entries).toHaveLength(length);
    work.park('alice', []);
    work.request('alice', 'bob', 'full_handoff', 's');
    work.park('alice', ['*'], { by: 'hook', event: 'StopFailure' });
    expect(work.worklog.parked).toBeUndefined();
  });

  it('keeps what stopped the conversation when that ends, too', () => {
    work.park('alice', ['*'], { by: 'hook', event: 'SessionEnd' });
    work.park('alice', ['*'], { by: 'hook', event: 'StopFailure' });
    work.park('alice', ['*'], { by: 'hook', event: 'SessionEnd' });
    expect(work.worklog.parked).toMatchObject({ event: 'StopFailure', by: 'hook' });
    work.wait(8 * DAY);
    work.park('alice', ['*'], { by: 'hook', event: 'SessionEnd' });
    expect(work.worklog.parked).toMatchObject({ event: 'SessionEnd' });
  });
});

describe('how it ends', () => {
  it('by withdrawing it, which is nothing where there is nothing', () => {
    work.park('alice', ['bob']);
    expect(work.park('alice', [])).toBe('accepted');
    expect(work.worklog.parked).toBeUndefined();
    const { length } = work.entries;
    expect(work.park('alice', [])).toBe('accepted');
    expect(work.entries).toHaveLength(length);
  });

  it('by a newer one', () => {
    work.park('alice', ['bob']);
    work.park('alice', ['carol']);
    expect(work.pickUp('bob', 's')).toBe('SESSION_NOT_FOUND');
    expect(work.pickUp('carol', 's')).toBe('accepted');
  });

  it('at its time, which is still within it', () => {
    work.park('alice', ['bob'], { forMs: DAY });
    work.wait(DAY);
    expect(isLeft()).toBe(true);
    work.wait(1);
    expect(isLeft()).toBe(false);
    expect(work.pickUp('bob', 's')).toBe('CONFLICT');
  });

  it('for anyone: by what the owner does next, not by what a hook writes (assistants:K4)', () => {
    work.park('alice');
    work.add('alice', { capture: true });
    expect(isLeft()).toBe(true);
    const standing = work.worklog.parked?.seq ?? 0;
    work.add('alice');
    expect(isLeft()).toBe(false);
    expect(work.pickUp('bob', 's', { standing })).toBe('CONFLICT');
  });

  it('for one agent: not by what the owner writes', () => {
    work.park('alice', ['bob']);
    work.add('alice');
    expect(work.pickUp('bob', 's')).toBe('accepted');
  });

  it.each([
    ['declined', false],
    ['cancelled', false],
    ['committed', false],
    ['expired', true],
  ] as const)('with the offer beside it, if that is %s: %s', (outcome, stays) => {
    work.park('alice', ['bob']);
    work.request('alice', 'bob', 'full_handoff', 's');
    work.end('s', outcome);
    expect(isLeft()).toBe(stays);
  });

  it('not with an offer to somebody else, or of another kind, unless that moves the work', () => {
    work.park('alice', ['bob']);
    work.request('alice', 'bob', 'collaboration', 's1');
    work.end('s1', 'declined');
    work.request('alice', 'carol', 'full_handoff', 's2');
    work.end('s2', 'declined');
    expect(isLeft()).toBe(true);
    work.request('alice', 'carol', 'full_handoff', 's3');
    work.end('s3', 'committed');
    expect(isLeft()).toBe(false);
  });
});

describe('picking it up', () => {
  it('makes one of two takers the owner; the other learns who has it (assistants:K5)', () => {
    work.park('alice');
    const standing = work.worklog.parked?.seq ?? 0;
    expect(work.pickUp('bob', 's1', { standing })).toBe('accepted');
    expect(work.pickUp('carol', 's2', { standing })).toBe('CONFLICT');
    expect(work.end('s1', 'committed')).toBe('accepted');
    expect(work.worklog).toMatchObject({ owner: 'bob', pending: [] });
    expect(work.worklog.parked).toBeUndefined();
    expect(work.pickUp('carol', 's2', { standing })).toBe('CONFLICT');
    expect(work.entries.find(({ type }) => type === 'HandoffRequested')?.facts).toMatchObject({ standing });
    expect(verifyStream(work.ref, work.entries, codec)).toMatchObject({ ok: true });
  });

  it('is not for those whom it does not name, nor for the owner, nor in the name of another', () => {
    work.park('alice', ['bob']);
    expect(work.pickUp('carol', 's')).toBe('SESSION_NOT_FOUND');
    expect(work.pickUp('alice', 's')).toBe('SESSION_NOT_FOUND');
    work.park('alice');
    expect(work.pickUp('alice', 's')).toBe('VALIDATION_ERROR');
    const asked = { kind: 'requestHandoff', sessionId: 's', handoffId: 'h1', target: 'bob' } as const;
    const rest = { requestType: 'full_handoff', upTo: 1, payload: new Uint8Array(0) };
    const standing = work.worklog.parked?.seq ?? 0;
    expect(work.ask('carol', { ...asked, ...rest, standing })).toBe('SESSION_NOT_FOUND');
  });

  it('is of the kind that was left', () => {
    work.park('alice', ['bob'], { requestType: 'collaboration' });
    expect(work.pickUp('bob', 's')).toBe('VALIDATION_ERROR');
    expect(work.pickUp('bob', 's', { requestType: 'collaboration' })).toBe('accepted');
    work.end('s', 'committed');
    expect(work.worklog).toMatchObject({ owner: 'alice', collaborators: ['bob'] });
    expect(work.worklog.parked).toBeUndefined();
  });

  it('of what is left for anyone to read happens once', () => {
    work.park('alice', ['*'], { requestType: 'context_transfer' });
    expect(work.pickUp('bob', 's', { requestType: 'context_transfer' })).toBe('accepted');
    work.end('s', 'committed');
    expect(work.worklog.parked).toBeUndefined();
  });

  it('gives way to a live offer, and serves when that has expired (assistants:K3)', () => {
    work.park('alice', ['bob']);
    work.request('alice', 'bob', 'full_handoff', 's1');
    expect(work.pickUp('bob', 's2')).toBe('CONFLICT');
    work.end('s1', 'expired');
    work.wait(3 * DAY);
    expect(work.pickUp('bob', 's2')).toBe('accepted');
  });

  it('gives way to an offer of its kind, too, that moves no ownership', () => {
    work.park('alice', ['bob'], { requestType: 'collaboration' });
    work.request('alice', 'bob', 'collaboration', 's1');
    expect(work.pickUp('bob', 's2', { requestType: 'collaboration' })).toBe('CONFLICT');
  });

  it('is answered again when it is asked again', () => {
    work.park('alice');
    const standing = work.worklog.parked?.seq ?? 0;
    const asked = { kind: 'requestHandoff', sessionId: 's', handoffId: 'h1', target: 'bob' } as const;
    const command = { ...asked, requestType: 'full_handoff', upTo: 1, payload: new Uint8Array(0), standing };
    expect(work.ask('bob', command, 'key')).toBe('accepted');
    expect(work.ask('bob', command, 'key')).toBe('duplicate');
    expect(work.ask('carol', command, 'key')).toBe('CONFLICT');
  });
});
