/** resume: what is chosen, what becomes of it, and how it fits (assistants:1.5). */
import { describe, expect, it } from 'vitest';
import { ok } from '../kit/outcomes.js';
import { agent as principal } from '../kit/principals.js';
import { handoffsOf } from '../kit/world.js';
import { START, send } from '../worklog/macp.js';
import { tokensOf } from './support/tool-names.js';
import { capture, createWindows, SHOP, SITE, type Window } from './support/windows.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const goal = 'The nightly import must finish before 06:00, measured on the replica three nights in a row.';
const MACP = '0b8c2a52-54f1-4a6e-9d0e-3f1a5b7c9d21';
const next = ['Create the index'];

/** An own session with one entry. */
async function work(window: Window, agent: string, sessionKey: string): Promise<void> {
  await window.call('registerSession', { sessionKey, agentFrom: agent });
  await write(window, sessionKey, `the work of ${sessionKey}`);
}

/** One of several entries of the session `five`. */
const work5 = (window: Window, n: number) =>
  n === 1 ? work(window, 'claude', 'five') : write(window, 'five', `entry ${n}`);

const write = (window: Window, sessionKey: string, content: string) =>
  window.call('updateContext', { sessionKey, contextType: 'message', content });

describe('what is chosen', () => {
  it('assistants:R1 assistants:R2 the newest of an offer and an own session; the other is listed', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const { handoffId } = await claude.call('handOff', { to: 'codex', goal, next });
    world.clock.now += DAY / 2;
    await work(world.open('codex'), 'codex', 'yesterday');
    world.clock.now += HOUR;
    const own = await world.open('codex').call('resume');
    expect(own).toMatchObject({ kind: 'own', sessionKey: 'yesterday', yours: true, elsewhere: 0 });
    expect(own.brief.text).toContain('the work of yesterday');
    expect(own.others).toMatchObject([{ kind: 'offer', handoffId, by: 'claude' }]);
    await claude.call('handOff', { to: 'codex', goal, next });
    const offer = await world.open('codex').call('resume');
    expect(offer).toMatchObject({ kind: 'offer', from: 'claude', phase: 'offered', yours: false });
    expect(offer.others).toMatchObject([{ kind: 'own', sessionKey: 'yesterday' }]);
  });

  it('assistants:R2 of the same time: an offer, what was left, an own one, what was received; then the key', async () => {
    const world = createWindows();
    const [claude, codex] = [world.open('claude'), world.open('codex')];
    for (const key of ['b', 'a']) await work(codex, 'codex', key);
    await world.open('claude').call('handOff', { goal, next });
    const read = { sessionKey: 'c', targetAgent: 'codex', requestType: 'context_transfer' };
    await work(claude, 'claude', 'c');
    const { handoffId } = await claude.call('requestHandoff', read);
    await codex.call('acceptHandoff', { handoffId });
    await world.open('claude').call('handOff', { to: 'codex', goal, next });
    const { kind, others } = await world.open('codex').call('resume');
    const kinds = others.map(({ kind, sessionKey }: Record<string, string>) => [kind, sessionKey]);
    expect(kind).toBe('offer');
    expect(kinds).toEqual([
      ['parked', expect.any(String)],
      ['own', 'a'],
      ['own', 'b'],
      ['received', 'c'],
    ]);
  });

  it('assistants:R2a a capture of the running conversation never hides an older offer', async () => {
    const world = createWindows();
    const { handoffId } = await world.open('claude').call('handOff', { to: 'codex', goal, next });
    world.clock.now += MINUTE;
    const codex = world.open('codex', { client: { name: 'codex' } });
    world.clock.now += MINUTE;
    const { value } = (await capture(world, 'codex')) as { value: { sessionKey: string } };
    expect(value).toMatchObject({ stored: true });
    expect(await codex.call('resume')).toMatchObject({ kind: 'offer', handoffId, others: [] });
    // The next conversation goes on with it.
    world.clock.now += MINUTE;
    expect(await world.open('codex').call('resume')).toMatchObject({
      kind: 'own',
      sessionKey: value.sessionKey,
    });
  });

  it('assistants:R2a nor one in a session that was there before', async () => {
    const world = createWindows();
    await work(world.open('codex'), 'codex', 'old');
    world.clock.now += MINUTE;
    const { handoffId } = await world.open('claude').call('handOff', { to: 'codex', goal, next });
    world.clock.now += MINUTE;
    const codex = world.open('codex');
    world.clock.now += MINUTE;
    expect(await capture(world, 'codex')).toMatchObject({ value: { sessionKey: 'old' } });
    expect(await codex.call('resume')).toMatchObject({ kind: 'offer', handoffId });
  });

  it('assistants:R2b what the end of a conversation left comes last, and first with take', async () => {
    const world = createWindows();
    await work(world.open('codex'), 'codex', 'mine');
    world.clock.now += HOUR;
    const left = await capture(world, 'claude', { event: 'SessionEnd', park: true });
    const { sessionKey } = (left as { value: { sessionKey: string } }).value;
    world.clock.now += 5 * MINUTE;
    expect(await world.open('codex').call('resume', { accept: true })).toMatchObject({
      ...{ kind: 'own', sessionKey: 'mine' },
      others: [{ kind: 'left', sessionKey, by: 'claude' }],
    });
    const taken = await world.open('codex').call('resume', { take: true });
    expect(taken).toMatchObject({ kind: 'left', sessionKey, yours: true, from: 'claude', owner: 'codex' });
    expect(taken).not.toHaveProperty('warnings');
  });

  it('what the end of a conversation left is claimed by its key, and not by accept alone', async () => {
    const world = createWindows();
    const left = await capture(world, 'claude', { event: 'SessionEnd', park: true });
    const { sessionKey } = (left as { value: { sessionKey: string } }).value;
    const codex = world.open('codex');
    expect(await codex.call('resume', { accept: true })).toMatchObject({
      ...{ kind: 'left', yours: false },
      instruction: `Nobody handed it over, and nothing is claimed yet. To take it, if the user wants you to go on: resume {"sessionKey": "${sessionKey}", "take": true}.`,
    });
    expect(await codex.call('resume', { accept: true, sessionKey })).toMatchObject({ yours: true });
  });

  it('assistants:P2 what is in another project is only counted, unless it is asked for', async () => {
    const world = createWindows();
    const { handoffId } = await world.open('claude').call('handOff', { to: 'codex', goal, next });
    const codex = world.open('codex', { project: SITE });
    expect(await codex.call('resume', { accept: true })).toMatchObject({ kind: 'nothing', elsewhere: 1 });
    for (const project of ['*', SHOP.id, SHOP.name])
      expect(await codex.call('resume', { project })).toMatchObject({ handoffId, elsewhere: 0 });
  });

  it('assistants:P2 an offer without a project comes after one of this project, however new it is', async () => {
    const world = createWindows();
    const real = await world.open('claude').call('handOff', { to: 'codex', goal, next });
    world.clock.now += HOUR;
    const noProject = { project: undefined } as never;
    const loose = await world.open('eve', noProject).call('handOff', { to: 'codex', goal: 'Not that', next });
    const codex = world.open('codex');
    expect(await codex.call('resume')).toMatchObject({
      handoffId: real.handoffId,
      others: [{ kind: 'offer', by: 'eve', handoffId: loose.handoffId }],
    });
    // Where no project is asked for, and where there is no other offer, the newest counts.
    expect(await codex.call('resume', { project: '*' })).toMatchObject({ handoffId: loose.handoffId });
    expect(await codex.call('resume', { accept: true })).toMatchObject({ yours: true, from: 'claude' });
    await work(codex, 'codex', 'older');
    world.clock.now += HOUR;
    const later = await world.open('eve', noProject).call('handOff', { to: 'codex', goal: 'Later', next });
    expect(await world.open('codex').call('resume')).toMatchObject({ handoffId: later.handoffId });
  });

  it('assistants:2.1 an offer that its owner has to commit stays, and says whose turn it is', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const { handoffId } = await claude.call('handOff', { to: 'codex', goal, next, autoCommit: false });
    const codex = world.open('codex');
    const accepted = await codex.call('resume', { accept: true });
    expect(accepted).toMatchObject({ kind: 'offer', phase: 'accepted', yours: false, handoffId });
    expect(accepted.instruction).toBe('You have accepted it; it is yours when its owner commits.');
    expect(await codex.call('resume', { accept: true })).toMatchObject({ handoffId, replayed: true });
    await claude.call('commitHandoff', { handoffId });
    expect(await codex.call('resume', { handoffId })).toMatchObject({ phase: 'committed', yours: true });
  });

  it('assistants:1.5 says before accept what accept does: a closed session, an offer to read, one to work on together', async () => {
    const world = createWindows();
    const [claude, codex] = [world.open('claude'), world.open('codex')];
    await work(claude, 'claude', 'closed');
    await claude.call('closeSession', { sessionKey: 'closed' });
    const closed = await claude.call('resume', { sessionKey: 'closed' });
    expect(closed).toMatchObject({ phase: 'completed', yours: true });
    expect(closed.instruction).toMatch(/^You closed it\. With accept: true it is open again/);
    expect(await claude.call('resume', { sessionKey: 'closed', accept: true })).toMatchObject({
      phase: 'active',
      instruction: 'It is yours. Begin with the next step; record with updateContext.',
    });
    const said = async (sessionKey: string, requestType: string) => {
      await work(claude, 'claude', sessionKey);
      const made = await claude.call('handOff', { sessionKey, to: 'codex', goal, next, requestType });
      const { handoffId } = made;
      const before = await codex.call('resume', { handoffId });
      const after = await codex.call('resume', { handoffId, accept: true });
      return [made, before, after].map(({ instruction }) => instruction);
    };
    expect(await said('copied', 'context_transfer')).toEqual([
      'codex has the context to read when it accepts, and the work stays with its owner; you need not wait. cancelHandoff withdraws it.',
      'It is for you to read; the work stays with its owner. accept: true says that you have it; declineHandoff refuses it.',
      'You have it to read; the work stays with its owner.',
    ]);
    expect(await said('shared', 'collaboration')).toEqual([
      'codex can write to it, too, when it accepts; you need not wait. cancelHandoff withdraws it.',
      'With accept: true you may write to it, too; the work stays with its owner. declineHandoff refuses the offer.',
      'You may write to it, too: record with updateContext. The work stays with its owner.',
    ]);
  });

  it('what was received to read is shown until it is gone on with, and never becomes the reader’s', async () => {
    const world = createWindows();
    const { handoffId } = await world
      .open('claude')
      .call('handOff', { to: 'codex', goal, next, requestType: 'context_transfer' });
    const codex = world.open('codex');
    await codex.call('acceptHandoff', { handoffId });
    const read = await codex.call('resume');
    expect(read).toMatchObject({ kind: 'received', handoffId, yours: false, owner: 'claude' });
    expect(read.brief.text).toContain(goal);
    expect(await codex.call('resume', { accept: true })).toMatchObject({ kind: 'received', yours: false });
    expect(await codex.call('resume')).toMatchObject({ kind: 'nothing' });
  });

  it('assistants:2.3 what an old owner sends after a take-over needs no goal, and does not come again once resume accepted it', async () => {
    const world = createWindows();
    const [claude, codex] = [world.open('claude'), world.open('codex')];
    await work(claude, 'claude', 'taken');
    world.clock.now += DAY;
    expect(await codex.call('resume', { take: true, sessionKey: 'taken' })).toMatchObject({ yours: true });
    const brief = 'The replica is three hours behind since noon. '.repeat(5);
    const sent = await claude.call('handOff', { to: 'codex', brief, requestType: 'context_transfer' });
    expect(sent).toMatchObject({ success: true });
    expect(sent.warnings?.map(({ code }: Record<string, string>) => code) ?? []).not.toContain('NO_GOAL');
    expect(sent.warnings?.map(({ code }: Record<string, string>) => code) ?? []).not.toContain('NO_NEXT');
    const { handoffId } = sent;
    const window = world.open('codex');
    const accept = () => window.call('resume', { accept: true, handoffId }, { requestKey: 'rpc:1:1:a' });
    expect(await accept()).toMatchObject({ kind: 'offer', phase: 'committed', yours: false });
    expect(await accept()).toMatchObject({ handoffId, replayed: true });
    const asked = { accept: false, take: false };
    // The same log, served by a new process.
    const again = await handoffsOf(world).resume(principal('codex'), asked, world.open('codex').connection);
    expect(again).toMatchObject({ value: { kind: 'own', sessionKey: 'taken', others: [] } });
  });
});

describe('assistants:1.5 the session that the window is at', () => {
  it('is gone on with after it was left for anyone, before older work, and is its own again', async () => {
    const world = createWindows();
    await work(world.open('claude'), 'claude', 'yesterday');
    world.clock.now += HOUR;
    const claude = world.open('claude');
    const { sessionKey } = await claude.call('handOff', { goal, next });
    expect(await claude.call('resume', { accept: true })).toMatchObject({
      ...{ kind: 'own', sessionKey, yours: true },
      others: [{ sessionKey: 'yesterday' }],
    });
    expect(await world.open('codex').call('resume')).toMatchObject({ kind: 'nothing' });
    expect(await claude.call('resume')).toMatchObject({ sessionKey, others: [{ sessionKey: 'yesterday' }] });
  });

  it('is gone on with after the hook of a limit left it', async () => {
    const world = createWindows();
    const claude = world.open('claude', { client: { name: 'claude', session: 'c1' } });
    world.clock.now += MINUTE;
    const { value } = (await capture(world, 'claude', { event: 'StopFailure', park: true })) as {
      value: { sessionKey: string };
    };
    expect(await claude.call('resume', { accept: true })).toMatchObject({
      kind: 'own',
      ...{ sessionKey: value.sessionKey },
    });
    expect(await world.open('codex').call('resume')).toMatchObject({ kind: 'nothing' });
  });

  it('is gone on with when the person gave it back, before older work', async () => {
    const world = createWindows();
    await work(world.open('claude'), 'claude', 'yesterday');
    world.clock.now += HOUR;
    const claude = world.open('claude');
    const { handoffId } = await claude.call('handOff', { to: 'codex', goal, next });
    const codex = world.open('codex');
    const { sessionKey } = await codex.call('resume', { handoffId, accept: true });
    await write(codex, sessionKey, 'of codex');
    expect(await claude.call('resume')).toMatchObject({ sessionKey: 'yesterday' });
    world.clock.now += MINUTE;
    await ok(world.handoffs.takeFor(principal('claude'), { sessionKey, to: 'claude', now: true }));
    for (const accept of [false, true])
      expect(await claude.call('resume', { accept })).toMatchObject({ kind: 'own', sessionKey, yours: true });
    world.clock.now += MINUTE;
    expect(await claude.call('resume')).toMatchObject({ sessionKey, others: [{ sessionKey: 'yesterday' }] });
  });

  it('is what remains when nothing else is there, also after its offer was declined', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const { handoffId, sessionKey } = await claude.call('handOff', { to: 'codex', goal, next });
    await world.open('codex').call('declineHandoff', { handoffId, reason: 'no time' });
    expect(await claude.call('resume', { accept: true })).toMatchObject({
      kind: 'own',
      sessionKey,
      others: [],
    });
    expect(await claude.call('resume', { project: SITE.name })).toMatchObject({ kind: 'nothing' });
    // Who waits, or takes, means other work.
    for (const args of [{ waitMs: 1 }, { take: true }])
      expect(await claude.call('resume', args)).toMatchObject({ kind: 'nothing' });
    const left = await capture(world, 'gemini', { event: 'SessionEnd', park: true });
    expect(left).toMatchObject({ value: { parked: true } });
    expect(await claude.call('resume', { accept: true })).toMatchObject({
      ...{ kind: 'own', sessionKey },
      others: [{ kind: 'left', by: 'gemini' }],
    });
    expect(await claude.call('resume', { take: true })).toMatchObject({ kind: 'left' });
  });
});

describe('what is shown', () => {
  it('assistants:R3 entries after the offer are counted before it is accepted, and shown after', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    for (let n = 1; n <= 5; n++) await work5(claude, n);
    const { sessionKey } = await claude.call('handOff', { sessionKey: 'five', to: 'codex', goal, next });
    for (const content of ['seventh', 'eighth']) await write(claude, sessionKey, content);
    const codex = world.open('codex');
    const before = await codex.call('resume');
    expect(before.delta).toEqual({
      ...{ count: 2, fromSequence: 7, toSequence: 8, withheld: 'accept to read them' },
    });
    expect(JSON.stringify(before)).not.toContain('eighth');
    const after = await codex.call('resume', { accept: true });
    expect(after.delta).toMatchObject({
      count: 2,
      entries: [
        { sequenceNumber: 7, content: 'seventh', author: 'claude', contextType: 'message' },
        { sequenceNumber: 8, content: 'eighth' },
      ],
    });
    expect(after.brief).toEqual(before.brief);
    expect(after).not.toHaveProperty('next');
  });

  it('assistants:1.5 long entries are cut, take a quarter at most, and next reads on', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const { sessionKey } = await claude.call('handOff', { to: 'codex', goal, next });
    await write(claude, sessionKey, 'short');
    for (let n = 0; n < 30; n++) await write(claude, sessionKey, `${n} ${'x"'.repeat(2_000)}`);
    const codex = world.open('codex');
    const { delta, ...rest } = await codex.call('resume', { accept: true, maxTokens: 4_000 });
    expect(delta.count).toBe(31);
    expect(delta.entries[0]).toMatchObject({ content: 'short' });
    expect(delta.entries[1]).toMatchObject({ truncated: true, contentLength: 4_002 });
    for (const { content } of delta.entries) expect(tokensOf(content)).toBeLessThanOrEqual(201);
    expect(tokensOf(delta.entries)).toBeGreaterThan(700);
    expect(tokensOf(delta.entries)).toBeLessThanOrEqual(1_000);
    expect(tokensOf({ ...rest, delta })).toBeLessThanOrEqual(4_000);
    expect(rest.next).toEqual({ tool: 'readContext', arguments: { sessionKey, afterSequence: 2 } });
    const { entries } = await codex.call('readContext', rest.next.arguments);
    expect(entries[0]).toMatchObject({ sequenceNumber: 3, content: `0 ${'x"'.repeat(2_000)}` });
  });

  it('assistants:1.5 a receiver that only reads is not told what comes later', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const read = { to: 'codex', goal, next, requestType: 'context_transfer' };
    const { sessionKey } = await claude.call('handOff', read);
    await write(claude, sessionKey, 'later');
    for (const accept of [false, true])
      expect(await world.open('codex').call('resume', { accept })).not.toHaveProperty('delta');
  });

  it('assistants:1.5 what the sender wants done, when it was offered and until when', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    await work(claude, 'claude', 'wanted');
    const instructions = `Finish before tonight. ${'é'.repeat(1_200)}`;
    await claude.call('requestHandoff', {
      ...{ sessionKey: 'wanted', targetAgent: 'codex', requestType: 'full_handoff' },
      requestData: { instructions },
    });
    expect(await world.open('codex').call('resume')).toMatchObject({
      instructions: [...instructions].slice(0, 1_000).join(''),
      instructionsLength: [...instructions].length,
      offeredAt: new Date(world.clock.now).toISOString(),
      expiresAt: expect.stringMatching(/Z$/),
    });
  });

  it('assistants:1.5 where the folder stood, and whether it has moved', async () => {
    const world = createWindows();
    const head = '0123456789abcdef0123456789abcdef01234567';
    const git = `branch main, ahead 1, behind 0\nHEAD 0123456 Add the index\n2 changed, 0 staged, 1 untracked\n M a.ts`;
    await capture(world, 'claude', { git, event: 'StopFailure', park: true });
    const at = new Date(world.clock.now).toISOString();
    world.clock.now += MINUTE;
    const there = await world.open('codex', { head }).call('resume');
    expect(there).toMatchObject({
      kind: 'parked',
      git: { branch: 'main', head: '0123456', dirty: true, at },
    });
    expect(there).not.toHaveProperty('warnings');
    const moved = 'f'.repeat(40);
    const taken = await world.open('codex', { head: moved }).call('resume', { accept: true });
    expect(taken).toMatchObject({
      git: { branch: 'main' },
      warnings: [{ code: 'HEAD_MOVED', was: '0123456', is: moved }],
    });
  });

  it('assistants:1.5 of a session that is gone the words of the package are left, and no more than fit', async () => {
    const world = createWindows();
    const tried = Array.from({ length: 40 }, (_, n) => `${n} ${'字'.repeat(100)}`);
    const { handoffId } = await world.open('claude').call('handOff', { to: 'codex', goal, next, tried });
    await world.open('codex').call('resume', { accept: true });
    world.clock.now += 1_000 * DAY;
    let tokens = 0;
    // One of these budgets ends inside a character.
    for (const maxTokens of [1_000, 1_001, 1_002]) {
      const gone = await world.open('codex').call('resume', { handoffId, maxTokens });
      expect(gone).toMatchObject({
        kind: 'offer',
        yours: false,
        delta: { count: 0 },
        brief: { rebuilt: true, text: expect.stringMatching(/^# Handover of .*字…$/s) },
      });
      expect(gone.brief.text).not.toContain('\ufffd');
      expect(tokensOf(gone)).toBeLessThanOrEqual(maxTokens);
      tokens = gone.brief.tokens;
    }
    const whole = await world.open('codex').call('resume', { handoffId });
    expect(whole.brief.tokens).toBeGreaterThan(tokens);
    expect(whole.brief).not.toHaveProperty('rebuilt');
  });

  it('assistants:R5 assistants:M7 an offer over gRPC is shown in its own words, in the room that there is', async () => {
    const world = createWindows();
    const alice = principal('alice');
    await send(world, alice, MACP, 'SessionStart', { ...START, participants: ['alice', 'codex'] });
    await send(world, alice, MACP, 'HandoffOffer', {
      ...{ handoffId: 'h1', targetParticipant: 'codex', scope: 'the disk', reason: 'I must go' },
    });
    await send(world, alice, MACP, 'HandoffContext', {
      handoffId: 'h1',
      contentType: 'text/plain',
      context: new TextEncoder().encode('ALL QUIET, disk 80%'),
    });
    await send(world, alice, MACP, 'HandoffContext', {
      handoffId: 'h1',
      contentType: 'text/plain',
      context: new TextEncoder().encode('"\\'.repeat(50_000)),
    });
    for (const maxTokens of [1_000, 6_000]) {
      const seen = await world.open('codex').call('resume', { maxTokens });
      expect(seen).toMatchObject({ kind: 'offer', from: 'alice', phase: 'offered', attachments: [{}, {}] });
      expect(seen.brief.text).toContain('ALL QUIET, disk 80%');
      expect(seen.brief).not.toHaveProperty('rebuilt');
      expect(seen).not.toHaveProperty('attachmentsTotal');
      expect(tokensOf(seen)).toBeLessThanOrEqual(maxTokens);
    }
  });
});

describe('how it fits', () => {
  it.each([
    ['1 MB of quotation marks', '"\\', 16_700],
    ['letters', 'ab cd ', 2_000],
    ['line breaks', 'x\n', 2_000],
    ['signs of four bytes', '𝄞 ', 2_000],
  ])('assistants:R4 %s in 1,500 tokens, or in all that are allowed', async (_, text, length) => {
    const world = createWindows();
    const claude = world.open('claude');
    await claude.call('registerSession', { sessionKey: 'long', agentFrom: 'claude' });
    for (let n = 0; n < 60; n++) await write(claude, 'long', `${n} ${text.repeat(length / text.length)}`);
    await claude.call('requestHandoff', {
      ...{ sessionKey: 'long', targetAgent: 'codex', requestType: 'full_handoff' },
    });
    for (const maxTokens of [1_500, 20_000])
      for (const agent of ['claude', 'codex']) {
        const short = await world.open(agent).call('resume', { maxTokens });
        expect(tokensOf(short)).toBeLessThanOrEqual(maxTokens);
        expect(short.brief).toMatchObject({ upTo: 60, omitted: expect.any(Object) });
        expect(short.brief.tokens).toBeGreaterThan(250);
      }
    // Most of the room is used, whatever the text is made of.
    const own = await world.open('claude').call('resume', { maxTokens: 3_000 });
    expect(tokensOf(own)).toBeGreaterThan(1_500);
  });

  it('assistants:R4 too few tokens are refused with the least, and claim nothing', async () => {
    const world = createWindows();
    const sessionKey = '字'.repeat(255);
    const claude = world.open('claude'.repeat(16));
    await claude.call('registerSession', { sessionKey, agentFrom: 'claude'.repeat(16) });
    for (let n = 0; n < 10; n++) await write(claude, sessionKey, '"\\'.repeat(1_000));
    const git = `branch ${'字'.repeat(200)}\nHEAD 0123456 Add the index\nnothing changed`;
    await capture(world, 'claude'.repeat(16), { sessionKey, git });
    await claude.call('handOff', { sessionKey, goal: '"'.repeat(4_000) });
    const codex = world.open('codex');
    const refused = await codex.call('resume', { accept: true, maxTokens: 1_000 });
    expect(refused).toMatchObject({ errorCode: 'VALIDATION_ERROR', details: { field: 'maxTokens' } });
    const least = Number(/at least (\d+) here/.exec(refused.error)?.[1]);
    expect(least).toBeGreaterThan(1_000);
    expect(least).toBeLessThan(2_000);
    expect(await codex.call('resume', { maxTokens: least })).toMatchObject({ yours: false });
    // To look is refused, too, when it is one's own.
    const own = await world.open('claude'.repeat(16)).call('resume', { maxTokens: 1_000 });
    expect(own).toMatchObject({ errorCode: 'VALIDATION_ERROR', details: { field: 'maxTokens' } });
    const taken = await codex.call('resume', { accept: true, maxTokens: least });
    expect(taken).toMatchObject({ yours: true, brief: { upTo: 12 } });
    expect(tokensOf(taken)).toBeLessThanOrEqual(least);
  });

  it('assistants:1.5 names either a session or an offer, and only what there is', async () => {
    const codex = createWindows().open('codex');
    for (const [args, errorCode] of [
      [{ sessionKey: 'long', handoffId: 'x:h1' }, 'VALIDATION_ERROR'],
      [{ handoffId: 'x:h1' }, 'HANDOFF_NOT_FOUND'],
      [{ sessionKey: 'long' }, 'SESSION_NOT_FOUND'],
      [{ sessionKey: 'long', take: true }, 'SESSION_NOT_FOUND'],
    ] as const)
      expect(await codex.call('resume', args)).toMatchObject({ errorCode });
  });

  it('assistants:G1 many long things beside the brief stay within the cap', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const files = Array.from({ length: 20 }, (_, n) => ({ name: `${n}-${'n'.repeat(190)}`, content: 'x' }));
    const { handoffId } = await claude.call('handOff', { to: 'codex', goal, next, attachments: files });
    for (let n = 0; n < 8; n++) await work(world.open('codex'), 'codex', `${n}${'k'.repeat(250)}`);
    for (const maxTokens of [1_000, 2_000, 6_000]) {
      const seen = await world.open('codex').call('resume', { handoffId, maxTokens });
      expect(tokensOf(seen)).toBeLessThanOrEqual(maxTokens);
      expect(seen.brief.text).toContain(goal);
      expect(seen.attachments.length < 20 ? seen.attachmentsTotal : 20).toBe(20);
    }
    const { others, attachments } = await world.open('codex').call('resume', { handoffId });
    expect(others).toHaveLength(5);
    expect(attachments.length).toBeGreaterThan(5);
  });
});
