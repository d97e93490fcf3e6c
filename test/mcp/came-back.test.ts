/** What becomes of an offer: its sender learns it, its receiver is told what helps, and both see the same time. */
import { afterEach, describe, expect, it } from 'vitest';
import { agent } from '../kit/principals.js';
import { createWindows, SHOP, type Windows } from './support/windows.js';

let world: Windows | undefined;
const open = (): Windows => {
  world = createWindows();
  return world;
};
afterEach(() => world?.engine.close());

const DAY = 86_400_000;
const said = { goal: 'Finish the import before 06:00', next: ['Create the index on the replica'] };

describe('assistants:2.2 one time for an offer', () => {
  it('sender and receiver see until when the receiver can have it', async () => {
    const { open: window, clock } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    const { expiresAt, handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
    expect(Date.parse(expiresAt) - clock.now).toBeGreaterThan(6 * DAY);
    expect(await bob.call('resume')).toMatchObject({ kind: 'offer', expiresAt });
    const { inbox } = await bob.call('listSessions');
    expect(inbox).toMatchObject([{ handoffId, expiresAt }]);
    const { outbox } = await ann.call('listSessions');
    expect(outbox).toMatchObject([{ handoffId, expiresAt }]);
    expect((await bob.call('listHandoffs')).handoffs).toMatchObject([{ expiresAt }]);
    expect((await bob.call('getHandoff', { handoffId })).handoff).toMatchObject({ expiresAt });
  });

  it('an offer without an instruction beside it ends with its session', async () => {
    const { open: window, clock } = open();
    const ann = window('ann');
    const { handoffId } = await ann.call('handOff', { ...said, to: 'bob', autoCommit: false });
    const { handoff } = await ann.call('getHandoff', { handoffId });
    expect(Date.parse(handoff.expiresAt) - clock.now).toBeLessThanOrEqual(DAY);
  });

  it('after the session of the offer its id still gets the work, and the outbox still has it', async () => {
    const { open: window, clock } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    const { expiresAt, handoffId, sessionKey } = await ann.call('handOff', { ...said, to: 'bob' });
    clock.now += 2 * DAY;
    const parked = { phase: 'parked', to: 'bob', sessionKey, expiresAt };
    expect((await ann.call('listSessions')).outbox).toMatchObject([parked]);
    expect((await bob.call('listSessions')).inbox).toMatchObject([parked]);
    expect(await bob.call('resume', { handoffId })).toMatchObject({ kind: 'parked', sessionKey });
    expect(await bob.call('resume', { handoffId, accept: true })).toMatchObject({ yours: true, sessionKey });
  });
});

describe('assistants:8 the sender learns what became of its offer', () => {
  it('one that was declined stands in the outbox until the work is offered again', async () => {
    const { open: window } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    const { handoffId, sessionKey } = await ann.call('handOff', { ...said, to: 'bob' });
    await bob.call('declineHandoff', { handoffId, reason: 'no time this week' });
    const declined = {
      ...{ handoffId, to: 'bob', sessionKey, phase: 'declined', reason: 'no time this week' },
      instruction: expect.stringMatching(/handOff/),
    };
    expect((await ann.call('listSessions')).outbox).toMatchObject([declined]);
    expect((await ann.call('whoAmI')).waiting).toMatchObject({ declined: 1, expired: 0 });
    const resumed = await ann.call('resume', { sessionKey });
    expect(resumed.warnings).toContainEqual(
      expect.objectContaining({ code: 'OFFER_DECLINED', to: 'bob', reason: 'no time this week' }),
    );
    // Of the receiver nothing is wanted any more.
    expect((await bob.call('listSessions')).inbox).toEqual([]);
    await ann.call('handOff', { sessionKey, ...said });
    expect((await ann.call('listSessions')).outbox).toEqual([]);
    expect((await ann.call('whoAmI')).waiting).toMatchObject({ declined: 0 });
  });

  it('one that was declined is what the window goes on with, before what others left', async () => {
    const { open: window, clock } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    await window('cat').call('handOff', { goal: 'Other work' });
    clock.now += 1_000;
    const { sessionKey, handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
    clock.now += 1_000;
    expect(await ann.call('resume')).toMatchObject({ kind: 'parked' });
    await bob.call('declineHandoff', { handoffId, reason: 'no time' });
    clock.now += 1_000;
    const shown = await ann.call('resume', { accept: true });
    expect(shown).toMatchObject({ kind: 'own', sessionKey, others: [{ kind: 'parked' }] });
    expect(shown.warnings).toContainEqual(expect.objectContaining({ code: 'OFFER_DECLINED', to: 'bob' }));
    clock.now += 1_000;
    expect(await ann.call('resume')).toMatchObject({
      ...{ kind: 'own', sessionKey },
      others: [{ kind: 'parked' }],
    });
  });

  it.each(['left to others', 'offered again', 'closed'])(
    'one that was declined is not told any more once the work is %s',
    async (how) => {
      const { open: window, handoffs, clock } = open();
      const [ann, bob] = [window('ann'), window('bob')];
      const { sessionKey, handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
      clock.now += 1_000;
      await bob.call('declineHandoff', { handoffId });
      clock.now += 1_000;
      const start = { client: 'claude', clientSession: 'next', event: 'SessionStart', project: SHOP };
      const told = async () => (await handoffs.hookText(agent('ann'), start, { transport: 'stdio' }))?.text;
      expect(await told()).toContain(`bob declined ${sessionKey}`);
      if (how === 'left to others') await ann.call('handOff', { sessionKey, ...said });
      if (how === 'offered again')
        await ann.call('handOff', { sessionKey, ...said, to: 'cat', autoCommit: false });
      if (how === 'closed') await ann.call('closeSession', { sessionKey });
      expect((await told()) ?? '').not.toContain('declined');
    },
  );

  it('one that ran out stands there until the session is closed', async () => {
    const { open: window, clock } = open();
    const ann = window('ann');
    const { sessionKey } = await ann.call('handOff', { ...said, to: 'bob', expiresIn: 3_600 });
    clock.now += DAY;
    expect((await ann.call('listSessions')).outbox).toMatchObject([
      { to: 'bob', sessionKey, phase: 'expired', instruction: expect.stringMatching(/handOff/) },
    ]);
    expect((await ann.call('whoAmI')).waiting).toMatchObject({ declined: 0, expired: 1 });
    const { warnings } = await ann.call('resume', { sessionKey });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'OFFER_EXPIRED', to: 'bob' }));
    await ann.call('closeSession', { sessionKey });
    expect((await ann.call('listSessions')).outbox).toEqual([]);
  });

  it('what was offered to another one after that is not told any more, and no more than fit are shown', async () => {
    const { open: window } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    for (let n = 0; n < 25; n++) {
      const sessionKey = `s${n}`;
      await ann.call('registerSession', { sessionKey, agentFrom: 'ann' });
      const { handoffId } = await ann.call('handOff', { ...said, sessionKey, to: 'bob' });
      await bob.call('declineHandoff', { handoffId, reason: 'r'.repeat(4_000) });
    }
    await ann.call('handOff', { ...said, sessionKey: 's3', to: 'carol' });
    const { outbox } = await ann.call('listSessions');
    expect(outbox[0]).toMatchObject({ sessionKey: 's3', phase: 'offered' });
    expect(outbox.length).toBeLessThanOrEqual(20);
    expect(outbox.length).toBeGreaterThan(2);
    expect(outbox.slice(1).every(({ phase }: { phase: string }) => phase === 'declined')).toBe(true);
  });
});

describe('assistants:R1 a refusal names what helps', () => {
  it('of an offer that ran out', async () => {
    const { open: window, clock } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    const { handoffId, sessionKey } = await ann.call('handOff', { ...said, to: 'bob', expiresIn: 3_600 });
    clock.now += DAY;
    for (const [tool, args] of [
      ['resume', { handoffId }],
      ['resume', { handoffId, accept: true }],
      ['declineHandoff', { handoffId }],
      ['acceptHandoff', { handoffId }],
    ] as const) {
      const refused = await bob.call(tool, args);
      expect(refused).toMatchObject({ errorCode: 'CONFLICT', details: { phase: 'expired' } });
      expect(refused.error).not.toMatch(/getHandoff/);
      expect(refused.error).toMatch(/ask ann/);
      expect(refused.error).toMatch(/take: true/);
    }
    const cancelled = await ann.call('cancelHandoff', { handoffId });
    expect(cancelled.error).not.toMatch(/getHandoff/);
    expect(cancelled.error).toMatch(/handOff/);
    // And it does.
    expect(await bob.call('resume', { take: true, sessionKey })).toMatchObject({ yours: true });
  });

  it.each([
    ['declined', /you declined/i],
    ['cancelled', /ask ann/],
  ] as const)('of one that was %s', async (phase, words) => {
    const { open: window } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    const { handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
    if (phase === 'declined') await bob.call('declineHandoff', { handoffId });
    else await ann.call('cancelHandoff', { handoffId });
    const refused = await bob.call('resume', { handoffId, accept: true });
    expect(refused).toMatchObject({ errorCode: 'CONFLICT', details: { phase } });
    expect(refused.error).toMatch(words);
    expect(refused.error).not.toMatch(/getHandoff/);
  });

  it('of one that was accepted', async () => {
    const { open: window } = open();
    const [ann, bob] = [window('ann'), window('bob')];
    const { handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
    await bob.call('resume', { handoffId, accept: true });
    for (const who of [ann, bob]) {
      const refused = await who.call(who === ann ? 'cancelHandoff' : 'declineHandoff', { handoffId });
      expect(refused).toMatchObject({ errorCode: 'CONFLICT', details: { phase: 'committed' } });
      expect(refused.error).not.toMatch(/getHandoff/);
      expect(refused.error).toMatch(who === ann ? /belongs to bob/ : /yours/);
    }
  });
});

describe('assistants:1.1 a tool that is named is listed, or the answer says how it can be', () => {
  const handoffOnly = { toolsets: new Set(['handoff', 'admin'] as const) };

  it('on one machine and over HTTP, in results, in lists and in refusals', async () => {
    const { open: window } = open();
    const [ann, bob] = [window('ann', handoffOnly), window('bob', handoffOnly)];
    const offered = await ann.call('handOff', { ...said, to: 'bob', autoCommit: false });
    const flag = 'commitHandoff: not listed here.*--toolsets handoff,lifecycle,admin ';
    expect(offered.instruction).toMatch(/commitHandoff/);
    expect(offered.hint).toMatch(new RegExp(flag));
    const { handoffId } = offered;
    await bob.call('resume', { handoffId, accept: true });
    const { outbox, hint } = await ann.call('listSessions');
    expect(outbox).toMatchObject([
      { phase: 'accepted', instruction: expect.stringContaining('commitHandoff') },
    ]);
    expect(hint).toMatch(new RegExp(flag));
    const refused = await ann.call('handOff', { ...said, to: 'bob' });
    expect(refused).toMatchObject({ errorCode: 'CONFLICT', error: expect.stringContaining('commitHandoff') });
    expect(refused.details.hint).toMatch(new RegExp(flag));
    const http = window('ann', { ...handoffOnly, transport: 'http' });
    expect((await http.call('listSessions')).hint).toMatch(/\?toolsets=handoff,lifecycle,admin/);
    expect(await ann.call('commitHandoff', { handoffId })).toMatchObject({ success: true });
  });

  it('nothing is said of what is listed, nor of words of others', async () => {
    const { open: window } = open();
    const ann = window('ann');
    const offered = await ann.call('handOff', { ...said, to: 'bob', autoCommit: false });
    expect(offered).not.toHaveProperty('hint');
    const other = window('ann', handoffOnly);
    const left = await other.call('handOff', { goal: 'call commitHandoff', next: ['getHandoff'] });
    expect(left).not.toHaveProperty('hint');
    expect(await window('bob', handoffOnly).call('resume')).not.toHaveProperty('hint');
  });
});

it('assistants:1.6 an offer that was declined and not settled is closed by cancelHandoff, as it says', async () => {
  const { open: window } = open();
  const [ann, bob] = [window('ann'), window('bob')];
  const { handoffId, sessionKey } = await ann.call('handOff', { ...said, to: 'bob', autoCommit: false });
  await bob.call('declineHandoff', { handoffId });
  const { handoff } = await ann.call('getHandoff', { handoffId });
  expect(handoff.instruction).toMatch(/cancelHandoff closes/);
  expect(await ann.call('cancelHandoff', { handoffId })).toMatchObject({ success: true });
  expect(await ann.call('handOff', { sessionKey, ...said, to: 'carol' })).toMatchObject({ success: true });
});
