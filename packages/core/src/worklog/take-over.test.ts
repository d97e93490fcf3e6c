/** Taking over from a silent owner (W7; assistants:2.3). */

import { beforeEach, describe, expect, it } from 'vitest';
import { codec } from '../../../../test/kit/codec.js';
import { WorklogRun } from '../../../../test/kit/worklog-run.js';
import { headOf, type JsonObject, seal, verifyStream } from '../index.js';

let work: WorklogRun;
const SECOND = 1_000;
const sound = () => verifyStream(work.ref, work.entries, codec);

beforeEach(() => {
  work = new WorklogRun();
  work.register('alice');
});

describe('the silence', () => {
  it('is long enough after the grace, to the second (assistants:O1)', () => {
    work.wait(599 * SECOND);
    expect(work.take('bob', 's')).toBe('FORBIDDEN');
    work.wait(SECOND);
    expect(work.take('bob', 's')).toBe('accepted');
    expect(work.entries.at(-1)).toMatchObject({
      actor: 'bob',
      facts: {
        authority: 'operator',
        from: 'alice',
        silent_since: work.clock.now - 600_000,
        policy: 'silent/600',
      },
    });
    work.end('s', 'committed');
    expect(work.worklog.owner).toBe('bob');
    expect(sound()).toMatchObject({ ok: true });
  });

  it('says since when it lasts and when it is over', () => {
    const at = work.clock.now;
    const asked = {
      kind: 'requestHandoff',
      sessionId: 's',
      handoffId: 'h1',
      target: 'bob',
      upTo: 0,
    } as const;
    const takeOver = { from: 'alice', lastSignAt: 0, policy: { by: 'silent', afterSecs: 600 } } as const;
    const rest = { requestType: 'full_handoff', payload: new Uint8Array(0), takeOver };
    expect(work.decide('bob', { ...asked, ...rest })).toMatchObject({
      rejection: {
        details: {
          silentSince: new Date(at).toISOString(),
          possibleAt: new Date(at + 600_000).toISOString(),
        },
      },
    });
  });

  it.each([
    ['an entry', () => work.add('alice')],
    ['an offer', () => work.request('alice', 'carol', 'collaboration', 'c')],
    ['leaving it for others', () => work.park('alice', ['carol'])],
    ['reopening it', () => [work.close('alice'), work.reopen('alice')]],
  ])('begins anew with %s of the owner (assistants:O2)', (_what, act) => {
    work.wait(300 * SECOND);
    act();
    work.wait(599 * SECOND);
    expect(work.take('bob', 's')).toBe('FORBIDDEN');
    work.wait(SECOND);
    expect(work.take('bob', 's')).toBe('accepted');
    expect(sound()).toMatchObject({ ok: true });
  });

  it.each([
    ['a hook writes', () => work.add('alice', { capture: true })],
    ['a hook leaves', () => work.park('alice', ['*'], { by: 'hook', event: 'SessionEnd' })],
    ['a collaborator writes', () => work.add('carol')],
  ])('is not broken by what %s', (_what, act) => {
    work.request('alice', 'carol', 'collaboration', 'c');
    work.end('c', 'committed');
    work.wait(599 * SECOND);
    act();
    work.wait(SECOND);
    expect(work.take('bob', 's')).toBe('accepted');
  });

  it('counts signs of life that the log does not have, and records the later time', () => {
    const lastSignAt = work.clock.now + 500 * SECOND;
    work.wait(700 * SECOND);
    expect(work.take('bob', 's', { lastSignAt })).toBe('FORBIDDEN');
    work.wait(400 * SECOND);
    expect(work.take('bob', 's', { lastSignAt })).toBe('accepted');
    expect(work.entries.at(-1)?.facts.silent_since).toBe(lastSignAt);
    expect(sound()).toMatchObject({ ok: true });
  });

  it('of the taker begins with the taking, so that it can be taken back by the same rule', () => {
    work.wait(600 * SECOND);
    work.take('bob', 's1');
    work.end('s1', 'committed');
    expect(work.take('alice', 's2')).toBe('FORBIDDEN');
    work.wait(600 * SECOND);
    expect(work.take('alice', 's2')).toBe('accepted');
  });
});

describe('what is taken', () => {
  const NOW = { policy: { by: 'person', afterSecs: 0 } } as const;

  it('is the whole work of the owner that was named, never by its owner', () => {
    expect(work.take('bob', 's', { ...NOW, from: 'carol' })).toBe('CONFLICT');
    expect(work.take('alice', 's', NOW)).toBe('VALIDATION_ERROR');
    const asked = {
      kind: 'requestHandoff',
      sessionId: 's',
      handoffId: 'h1',
      target: 'bob',
      upTo: 0,
    } as const;
    const rest = { requestType: 'collaboration', payload: new Uint8Array(0) };
    expect(work.ask('bob', { ...asked, ...rest, takeOver: { from: 'alice', lastSignAt: 0, ...NOW } })).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('waits for a full handoff that is under way', () => {
    work.request('alice', 'carol', 'full_handoff', 's1');
    expect(work.take('bob', 's2', NOW)).toBe('CONFLICT');
    work.end('s1', 'cancelled');
    expect(work.take('bob', 's2', NOW)).toBe('accepted');
  });

  it('is explained to the old owner, until the work moves on', () => {
    const registeredAt = work.clock.now;
    work.wait(600 * SECOND);
    work.take('bob', 's');
    work.end('s', 'committed');
    const add = {
      kind: 'addContext',
      entryId: 'e',
      contextType: 'message',
      payload: new Uint8Array(0),
    } as const;
    const { lifetimes } = work.worklog;
    const at = new Date(work.clock.now).toISOString();
    expect(work.decide('alice', { ...add, lifetimes })).toMatchObject({
      rejection: {
        code: 'FORBIDDEN',
        message: expect.stringContaining(`bob took this session over at ${at}`),
        details: {
          owner: 'bob',
          takenAt: at,
          silentSince: new Date(registeredAt).toISOString(),
          handoffId: 's:h1',
          authority: 'operator',
        },
      },
    });
    work.request('bob', 'carol', 'full_handoff', 's2');
    work.end('s2', 'committed');
    expect(work.worklog.taken).toBeUndefined();
    expect(work.decide('alice', { ...add, lifetimes })).toMatchObject({
      rejection: {
        message: expect.stringMatching(
          /^the working session belongs to carol now\. Send what it should know with handOff/,
        ),
      },
    });
  });

  it('does not replay when the silence was too short for the recorded policy, or is not the recorded one', () => {
    work.wait(300 * SECOND);
    work.take('bob', 's', NOW);
    expect(sound()).toMatchObject({ ok: true });
    const forged = (facts: JsonObject) => {
      const [first, taking] = work.entries;
      if (!first || !taking) throw new Error('nothing was taken');
      const draft = { ...taking, facts: { ...taking.facts, ...facts } };
      return [first, seal(codec, work.ref, headOf(first), draft, taking.at, taking.salt)];
    };
    expect(verifyStream(work.ref, forged({}), codec)).toMatchObject({ ok: true });
    for (const facts of [
      { policy: 'silent/600' },
      { silent_since: 0 },
      { policy: 'whim' },
      { from: 'carol' },
    ])
      expect(verifyStream(work.ref, forged(facts), codec)).toMatchObject({ ok: false });
  });
});
