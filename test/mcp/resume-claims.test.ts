/** resume with accept and take: whose the work is afterwards, whoever else wants it, and however often it is said. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { agent as principal } from '../kit/principals.js';
import { until } from '../kit/until.js';
import { expectSound, history } from '../worklog/macp.js';
import { createWindows, SHOP, SITE, type Window, type Windows } from './support/windows.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const goal = 'The nightly import must finish before 06:00, measured on the replica three nights in a row.';
const next = ['Create the index'];

const write = (window: Window, sessionKey: string, content = 'x') =>
  window.call('updateContext', { sessionKey, contextType: 'message', content });

const sessionOf = (handoffId: string): string => handoffId.split(':')[0] ?? '';

async function commitments(world: Windows, handoffId: string): Promise<number> {
  const entries = await history(world, sessionOf(handoffId));
  return entries.filter(({ type }) => type === 'Commitment').length;
}

describe('what was left', () => {
  it('assistants:K3 assistants:K6 an offer outlives its day, and is one ordinary session that is over', async () => {
    const world = createWindows();
    const { handoffId, sessionKey } = await world.open('claude').call('handOff', { to: 'codex', goal, next });
    world.clock.now += 3 * DAY;
    const codex = world.open('codex');
    expect(await world.open('gemini').call('resume')).toMatchObject({ kind: 'nothing' });
    const taken = await codex.call('resume', { accept: true });
    expect(taken).toMatchObject({ kind: 'parked', yours: true, sessionKey, owner: 'codex', from: 'claude' });
    expect(taken.handoffId).not.toBe(handoffId);
    expect(await commitments(world, taken.handoffId)).toBe(1);
    expect(await world.state(sessionOf(taken.handoffId))).toMatchObject({
      status: 'RESOLVED',
      initiator: 'claude',
    });
    await expectSound(world);
  });

  it('assistants:K4 for anyone: its owner’s next entry ends that', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const { sessionKey } = await claude.call('handOff', { goal, next });
    const codex = world.open('codex');
    expect(await codex.call('resume')).toMatchObject({ kind: 'parked', sessionKey, yours: false });
    await write(claude, sessionKey);
    expect(await codex.call('resume', { accept: true })).toMatchObject({ kind: 'nothing' });
    // What can be taken once its owner is silent is no secret here.
    expect(await codex.call('resume', { sessionKey })).toMatchObject({
      errorCode: 'FORBIDDEN',
      details: { owner: 'claude' },
    });
  });

  it('assistants:K5 assistants:R7 of two that claim it at once exactly one wins, a hundred times', async () => {
    const world = createWindows();
    for (let round = 0; round < 100; round++) {
      const { sessionKey } = await world.open('claude').call('handOff', { goal, next });
      const windows = [world.open('codex'), world.open('gemini')];
      const named = round % 2 === 0 ? { sessionKey } : {};
      const both = await Promise.all(windows.map((one) => one.call('resume', { accept: true, ...named })));
      const [winner] = both.filter(({ yours }) => yours === true);
      const [loser] = both.filter((one) => one !== winner);
      expect(winner).toMatchObject({ sessionKey, kind: 'parked' });
      expect(loser).toMatchObject({ errorCode: 'CONFLICT', details: { owner: winner?.owner } });
      // Nobody has anything left over for the next round.
      for (const one of windows) await one.call('closeSession', { sessionKey });
    }
  });

  it('assistants:1.5 whoever comes a moment late is told who has it', async () => {
    const world = createWindows();
    const { sessionKey } = await world.open('claude').call('handOff', { goal, next });
    const { connection } = world.open('gemini');
    // Asked after gemini has seen it, and before it claims it.
    const admit = async () => {
      await world.open('codex').call('resume', { accept: true });
      return undefined;
    };
    const late = await world.handoffs.resume(
      principal('gemini'),
      { accept: true, take: false, admit },
      connection,
    );
    expect(late).toMatchObject({ rejection: { code: 'CONFLICT', details: { sessionKey, owner: 'codex' } } });
  });

  it.each([
    [{}, 'nothing'],
    [{ HANDOVER_OPEN_PARKING: '1' }, 'parked'],
  ])('assistants:K5a over HTTP with %j', async (env, kind) => {
    const world = createWindows(env);
    const open = (agent: string) => world.open(agent, { transport: 'http' });
    const { sessionKey } = await open('claude').call('handOff', { goal, next });
    expect(await open('codex').call('resume')).toMatchObject({ kind });
    expect(await open('claude').call('resume', { accept: true })).toMatchObject({ kind: 'own', sessionKey });
    expect(await open('codex').call('resume')).toMatchObject({ kind: 'nothing' });
  });
});

describe('what is left for whoever comes next in a project', () => {
  it.each([
    ['in another project of one machine', { project: SITE }],
    ['in another project over HTTP', { transport: 'http' as const, project: SITE }],
    ['over HTTP without a project', { transport: 'http' as const, project: undefined }],
  ])('is not there %s, whatever is asked', async (_, where) => {
    const world = createWindows({ HANDOVER_OPEN_PARKING: '1' });
    const { sessionKey } = await world.open('claude').call('handOff', { goal, next });
    const { project, ...rest } = where;
    const codex = world.open('codex', { ...rest, project } as Partial<Connection>);
    expect(await codex.call('resume', { project: '*' })).toMatchObject({ kind: 'nothing', others: [] });
    for (const claim of [{}, { accept: true }, { take: true }])
      expect(await codex.call('resume', { sessionKey, ...claim })).toMatchObject({ success: false });
    expect(await world.open('codex').call('resume', { accept: true })).toMatchObject({ yours: true });
  });
});

describe('work of a silent owner', () => {
  async function silent(env = {}) {
    const world = createWindows(env);
    const claude = world.open('claude');
    await claude.call('registerSession', { sessionKey: 'import', agentFrom: 'claude' });
    await write(claude, 'import', goal);
    return { world, claude, since: new Date(world.clock.now).toISOString() };
  }

  it('assistants:O1 is refused before the grace is over, then shown last, and taken with take', async () => {
    const { world, since } = await silent();
    const codex = world.open('codex');
    world.clock.now += 599 * SECOND;
    const possibleAt = new Date(world.clock.now + SECOND).toISOString();
    // A later one is not named.
    const later = world.open('gemini');
    await later.call('registerSession', { sessionKey: 'later', agentFrom: 'gemini' });
    await write(later, 'later', goal);
    for (const asked of [{ take: true }, { accept: true }, {}])
      expect(await codex.call('resume', asked)).toMatchObject({
        kind: 'nothing',
        instruction: `Nothing waits for you here. listSessions shows what there is. claude has import: if it stays silent, take: true takes that over from ${possibleAt} on, or now, if the user says so: handover take import --to codex --now.`,
      });
    expect(await codex.call('resume', { sessionKey: 'import' })).toMatchObject({
      errorCode: 'FORBIDDEN',
      details: { owner: 'claude', silentSince: since, possibleAt },
    });
    expect(await codex.call('resume', { take: true, sessionKey: 'import' })).toMatchObject({
      errorCode: 'FORBIDDEN',
      details: { silentSince: since, possibleAt },
    });
    world.clock.now += 2 * SECOND;
    await write(codex, (await codex.call('handOff', { goal, next })).sessionKey);
    const window = world.open('codex');
    expect(await window.call('resume', { accept: true })).toMatchObject({
      kind: 'own',
      others: [{ kind: 'silent', sessionKey: 'import', by: 'claude', at: since }],
    });
    const shown = await world.open('gemini').call('resume', { accept: true, sessionKey: 'import' });
    expect(shown).toMatchObject({ kind: 'silent', yours: false, silentSince: since, phase: 'active' });
    expect(shown.instruction).toBe(
      'Nobody handed it over, and nothing is claimed yet. To take it, if the user wants you to go on: resume {"sessionKey": "import", "take": true}.',
    );
    const taken = await window.call('resume', { take: true });
    expect(taken).toMatchObject({
      ...{ kind: 'silent', yours: true, sessionKey: 'import', from: 'claude', owner: 'codex' },
      warnings: [{ code: 'TAKEN_OVER', from: 'claude', silentSince: since }],
    });
    expect(taken.brief.text).toContain(goal);
    await expectSound(world);
  });

  it('assistants:O2 assistants:2.3 a resume of the owner is a sign of life', async () => {
    const { world, claude } = await silent();
    world.clock.now += 9 * MINUTE;
    await claude.call('resume');
    world.clock.now += 9 * MINUTE;
    const codex = world.open('codex');
    expect(await codex.call('resume', { take: true, sessionKey: 'import' })).toMatchObject({
      errorCode: 'FORBIDDEN',
    });
    world.clock.now += 2 * MINUTE;
    expect(await codex.call('resume', { take: true })).toMatchObject({ kind: 'silent', yours: true });
  });

  it('assistants:O4 is not there where agents may not take, nor in another project', async () => {
    const { world } = await silent({ HANDOVER_TAKEOVER: 'person' });
    world.clock.now += DAY;
    const nothing = await world.open('codex').call('resume', { take: true });
    expect(nothing).toMatchObject({ kind: 'nothing' });
    expect(nothing.instruction).not.toContain('import');
    expect(await world.open('codex').call('resume', { take: true, sessionKey: 'import' })).toMatchObject({
      errorCode: 'FORBIDDEN',
    });
    const other = (await silent()).world;
    other.clock.now += DAY;
    const codex = other.open('codex', { project: SITE });
    for (const args of [{}, { project: SHOP.name }, { project: '*' }])
      expect(await codex.call('resume', { take: true, ...args })).toMatchObject({ kind: 'nothing' });
    expect(await codex.call('resume', { take: true, sessionKey: 'import' })).toMatchObject({
      errorCode: 'SESSION_NOT_FOUND',
    });
  });

  it.each(['person', 'off'])(
    'assistants:O4 with the policy %s the refusal does not tell whether there is such a session',
    async (policy) => {
      const { world } = await silent({ HANDOVER_TAKEOVER: policy });
      world.clock.now += DAY;
      for (const window of [world.open('codex'), world.open('codex', { project: SITE })]) {
        const answer = async (sessionKey: string, more = {}) => {
          const { requestId: _, ...said } = await window.call('resume', { take: true, sessionKey, ...more });
          return JSON.parse(JSON.stringify(said).replaceAll(sessionKey, 'KEY'));
        };
        const known = await answer('import');
        expect(known).toMatchObject({ errorCode: 'FORBIDDEN' });
        expect(await answer('export')).toEqual(known);
        expect(await answer('export', { accept: true })).toMatchObject({ errorCode: 'FORBIDDEN' });
      }
    },
  );

  it('assistants:O8 what was accepted and is not committed is taken by its target', async () => {
    const { world, claude } = await silent();
    const offer = { sessionKey: 'import', to: 'codex', goal, autoCommit: false };
    const { handoffId } = await claude.call('handOff', offer);
    const codex = world.open('codex');
    expect(await codex.call('resume', { accept: true })).toMatchObject({ phase: 'accepted', yours: false });
    world.clock.now += MINUTE;
    expect(await codex.call('resume', { take: true })).toMatchObject({ handoffId, yours: false });
    world.clock.now += 10 * MINUTE;
    expect(await codex.call('resume')).toMatchObject({ handoffId, others: [] });
    expect(await codex.call('resume', { take: true })).toMatchObject({
      ...{ kind: 'silent', yours: true, owner: 'codex', from: 'claude' },
    });
  });
});

describe('a request that is said again', () => {
  it('assistants:R6 assistants:6.2 gives what it claimed, and does not claim the next', async () => {
    const world = createWindows();
    const claude = () => world.open('claude');
    const codex = world.open('codex');
    const accept = (requestKey: string, args = {}) =>
      codex.call('resume', { accept: true, ...args }, { requestKey });
    const first = await claude().call('handOff', { to: 'codex', goal, next });
    world.clock.now += MINUTE;
    const second = await claude().call('handOff', { to: 'codex', goal, next });
    expect(await accept('k1')).toMatchObject({ handoffId: second.handoffId, yours: true });
    const again = await accept('k1');
    expect(again).toMatchObject({ handoffId: second.handoffId, yours: true, replayed: true, kind: 'offer' });
    expect(again.others).toMatchObject([{ handoffId: first.handoffId }]);
    expect(await commitments(world, second.handoffId)).toBe(1);
    // The window is at the newer one now.
    expect(await accept('k2')).toMatchObject({ kind: 'own', sessionKey: second.sessionKey });
    const { handoffId, sessionKey } = first;
    expect(await accept('k3', { handoffId })).toMatchObject({ handoffId, yours: true });
    expect(await accept('k4')).toMatchObject({ kind: 'own', sessionKey });
  });

  it('assistants:R6 also of what was picked up, taken over or gone on with', async () => {
    const world = createWindows();
    const codex = world.open('codex');
    const said = (args: object, requestKey: string) => codex.call('resume', args, { requestKey });
    const left = [];
    for (let n = 0; n < 2; n++) {
      left.push((await world.open('claude').call('handOff', { goal, next })).sessionKey);
      world.clock.now += SECOND;
    }
    const picked = await said({ accept: true }, 'k1');
    expect(picked).toMatchObject({ kind: 'parked', sessionKey: left[1], yours: true });
    expect(await said({ accept: true }, 'k1')).toMatchObject({
      ...{ kind: 'parked', sessionKey: left[1], handoffId: picked.handoffId, yours: true, replayed: true },
      others: [{ sessionKey: left[0] }],
    });
    const gemini = world.open('gemini');
    for (const sessionKey of ['s1', 's2']) {
      await gemini.call('registerSession', { sessionKey, agentFrom: 'gemini' });
      await write(gemini, sessionKey);
    }
    world.clock.now += DAY;
    const taken = await said({ take: true }, 'k2');
    expect(taken).toMatchObject({ kind: 'silent', yours: true });
    expect(await said({ take: true }, 'k2')).toMatchObject({
      ...{ kind: 'silent', sessionKey: taken.sessionKey, yours: true, replayed: true },
    });
    const mine = world.open('gemini');
    const own = await mine.call('resume', { accept: true }, { requestKey: 'k3' });
    expect(own).toMatchObject({ kind: 'own' });
    await write(world.open('gemini'), own.sessionKey);
    const { handoffId } = await world.open('claude').call('handOff', { to: 'gemini', goal, next });
    expect(await mine.call('resume', { accept: true }, { requestKey: 'k3' })).toMatchObject({
      ...{ kind: 'own', sessionKey: own.sessionKey, replayed: true, others: [{ handoffId }, {}] },
    });
  });
});

describe('waiting', () => {
  const looksOf = (world: Windows, agent: string) => {
    const list = vi.spyOn(world.engine, 'list');
    return () => list.mock.calls.filter(([query]) => query.agent === agent && query.role === 'target').length;
  };

  it('assistants:R8 looks at the call and at the offer, and not between', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const looks = looksOf(world, 'codex');
    const waiting = world.open('codex').call('resume', { waitMs: 20_000, accept: true });
    await until(() => world.engine.followers > 0);
    await claude.call('registerSession', { sessionKey: 'other', agentFrom: 'claude' });
    for (let n = 0; n < 5; n++) await write(claude, 'other');
    await claude.call('handOff', { sessionKey: 'other', to: 'gemini', goal, next });
    // Time enough to look again, if it did.
    await sleep(50);
    expect(looks()).toBe(1);
    const { handoffId } = await world.open('claude').call('handOff', { to: 'codex', goal, next });
    expect(await waiting).toMatchObject({ kind: 'offer', handoffId, yours: true });
    expect(looks()).toBe(2);
    expect(world.engine.followers).toBe(0);
  });

  it('assistants:1.5 goes on while what comes is in another project, and says how to go on after that', async () => {
    const world = createWindows();
    const looks = looksOf(world, 'codex');
    const args = { waitMs: 300, project: 'site', reason: 'r'.repeat(4_096), maxTokens: 1_000 };
    const waiting = world.open('codex').call('resume', args);
    await until(() => world.engine.followers > 0);
    await world.open('claude').call('handOff', { goal, next });
    const { reason: _, ...again } = args;
    const waited = await waiting;
    expect(waited).toMatchObject({ kind: 'nothing', elsewhere: 1 });
    expect(waited.next).toEqual({ tool: 'resume', arguments: again });
    expect(looks()).toBe(2);
    const short = { waitMs: 1, reason: 'later' };
    expect((await world.open('codex', { project: SITE }).call('resume', short)).next.arguments).toEqual(
      short,
    );
  });

  it('assistants:1.5 ends with its call, and waits for nothing when there is something', async () => {
    const world = createWindows();
    const controller = new AbortController();
    const waiting = world.open('codex').call('resume', { waitMs: 50_000 }, { signal: controller.signal });
    await until(() => world.engine.followers > 0);
    controller.abort();
    expect(await waiting).toMatchObject({ kind: 'nothing' });
    await world.open('claude').call('handOff', { to: 'codex', goal, next });
    expect(await world.open('codex').call('resume', { waitMs: 50_000 })).toMatchObject({ kind: 'offer' });
    expect(await world.open('codex').call('resume', { waitMs: 50_001 })).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
    });
    expect(world.engine.followers).toBe(0);
  });
});
