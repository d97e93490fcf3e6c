/** What an answer says of work that is left for others, or that takes the place of other work: it must be true for whoever asked. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { agent } from '../kit/principals.js';
import { createWindows, SHOP, type Windows } from './support/windows.js';

let world: Windows | undefined;
const open = (env = {}): Windows => {
  world = createWindows(env);
  return world;
};
afterEach(() => world?.engine.close());

const http = { transport: 'http' } as const;
const said = { goal: 'Finish the import before 06:00', next: ['Create the index on the replica'] };
const codesOf = ({ warnings = [] }: Payload): readonly string[] =>
  warnings.map(({ code }: { readonly code: string }) => code);

describe('assistants:K5a work that is left without a name', () => {
  it('over HTTP the answer says that only its owner goes on with it, and how somebody else gets it', async () => {
    const { open: window } = open();
    const handed = await window('ann', http).call('handOff', said);
    expect(handed).toMatchObject({ success: true, phase: 'parked' });
    expect(handed.instruction).toMatch(/only you/);
    expect(handed.instruction).toMatch(/handOff .*to/);
    expect(handed.instruction).not.toMatch(/waits for the next resume/);
    expect(handed.warnings).toContainEqual({
      code: 'ONLY_YOURS',
      message: expect.stringMatching(/name the receiver in to/),
    });
    expect(await window('bob', http).call('resume')).toMatchObject({ kind: 'nothing' });
    expect(await window('ann', http).call('resume')).toMatchObject({ kind: 'own', yours: true });
  });

  it.each([
    ['on one machine', {}, { transport: 'stdio' as const }],
    ['where the operator opened it', { HANDOVER_OPEN_PARKING: '1' }, http],
  ])('%s it waits for the next resume', async (_, env, connection) => {
    const { open: window } = open(env);
    const handed = await window('ann', connection).call('handOff', said);
    expect(handed.instruction).toMatch(/waits for the next resume/);
    expect(codesOf(handed)).not.toContain('ONLY_YOURS');
    expect(await window('bob', connection).call('resume')).toMatchObject({ kind: 'parked' });
  });

  it.each(['stdio', 'http'] as const)(
    'assistants:V1 a start line over %s says so as well',
    async (transport) => {
      const { open: window, handoffs } = open();
      await window('ann', { transport }).call('handOff', said);
      const start = { client: 'claude', clientSession: 'next', event: 'SessionStart', project: SHOP };
      const told = await handoffs.hookText(agent('ann'), start, { transport });
      expect(told?.text).toMatch(/^Your last session here/);
      expect(told?.text.includes('left for anyone')).toBe(transport === 'stdio');
    },
  );

  it('listSessions of others does not show what they cannot have', async () => {
    const { open: window } = open();
    const [ann, bob] = [window('ann', http), window('bob', http)];
    const { sessionKey, handoffId } = await ann.call('handOff', {
      ...said,
      to: 'bob',
      requestType: 'collaboration',
    });
    await bob.call('resume', { handoffId, accept: true });
    await ann.call('handOff', { sessionKey, ...said });
    const rows = async (who: typeof ann) => (await who.call('listSessions')).sessions;
    expect((await rows(bob))[0]).not.toHaveProperty('parkedFor');
    await ann.call('cancelHandoff', { sessionKey });
    await ann.call('handOff', { sessionKey, ...said, to: 'carol' });
    expect((await rows(ann))[0]).toMatchObject({ parkedFor: 'carol' });
    expect((await rows(bob))[0]).not.toHaveProperty('parkedFor');
  });
});

describe('assistants:2.2 the next entry takes back what was left', () => {
  it('says so, and how to leave it again', async () => {
    const { open: window } = open();
    const ann = window('ann');
    const { sessionKey } = await ann.call('handOff', said);
    const entry = { sessionKey, contextType: 'message', content: 'one thing more' };
    const written = await ann.call('updateContext', entry);
    expect(written.warnings).toContainEqual({
      code: 'NO_LONGER_LEFT',
      message: expect.stringMatching(/handOff/),
    });
    expect(codesOf(await ann.call('updateContext', entry))).not.toContain('NO_LONGER_LEFT');
    expect(await window('bob').call('resume')).toMatchObject({ kind: 'nothing' });
  });

  it('does not say so where nobody could have had it, nor of an offer to somebody', async () => {
    const { open: window } = open();
    const [ann, cat] = [window('ann', http), window('cat')];
    const { sessionKey } = await ann.call('handOff', said);
    const written = await ann.call('updateContext', { sessionKey, contextType: 'message', content: 'x' });
    expect(codesOf(written)).not.toContain('NO_LONGER_LEFT');
    const { sessionKey: offered } = await cat.call('handOff', { ...said, to: 'bob' });
    const more = await cat.call('updateContext', {
      ...{ sessionKey: offered, contextType: 'message', content: 'x' },
    });
    expect(codesOf(more)).not.toContain('NO_LONGER_LEFT');
  });
});

describe('assistants:1.4 a second piece of work in the same window', () => {
  const other = { goal: 'Write the release notes', next: ['List the merged changes'] };

  it('goes into the session that was handed over, and the answer says what it replaced', async () => {
    const { open: window } = open();
    const ann = window('ann');
    const first = await ann.call('handOff', said);
    expect(codesOf(first)).not.toContain('GOAL_REPLACED');
    const second = await ann.call('handOff', other);
    expect(second.sessionKey).toBe(first.sessionKey);
    expect(second.warnings).toContainEqual({
      code: 'GOAL_REPLACED',
      was: said.goal,
      replaced: [{ kind: 'next', was: said.next[0] }],
      sessionKey: first.sessionKey,
      message: expect.stringMatching(/registerSession.*sessionKey/),
    });
    // The same goal again is the same work, and so is a handoff that names the session.
    expect(codesOf(await ann.call('handOff', { ...other, next: ['More'] }))).not.toContain('GOAL_REPLACED');
    const named = await ann.call('handOff', { ...said, sessionKey: first.sessionKey });
    expect(codesOf(named)).not.toContain('GOAL_REPLACED');
  });

  it('names all that it replaced, cut, whatever said it before', async () => {
    const { open: window } = open();
    const ann = window('ann');
    const [long, open1] = ['b'.repeat(3_000), 'Is the replica up?'];
    const { sessionKey } = await ann.call('handOff', { ...said, open: [open1], brief: long });
    const second = { ...other, open: ['Who merges?'], brief: 'Short.', decisions: ['By date'] };
    const { warnings } = await ann.call('handOff', second);
    const replaced = warnings.find(({ code }: { readonly code: string }) => code === 'GOAL_REPLACED');
    expect(replaced).toMatchObject({
      was: said.goal,
      sessionKey,
      replaced: [
        { kind: 'next', was: said.next[0] },
        { kind: 'open', was: open1 },
        { kind: 'brief', was: `${'b'.repeat(199)}…`, wasLength: 3_000 },
      ],
    });
    // What was not said again stays.
    const third = await ann.call('handOff', { goal: 'The third' });
    expect(codesOf(third)).toContain('GOAL_REPLACED');
    expect(JSON.stringify(third.warnings)).not.toContain('"replaced":');
  });

  it('a goal that was only noted on the way is no other work', async () => {
    const { open: window } = open();
    const ann = window('ann');
    await ann.call('registerSession', { sessionKey: 'w', agentFrom: 'ann' });
    const note = { contextType: 'message', content: 'Import', metadata: { note: 'goal' } };
    await ann.call('updateContext', { sessionKey: 'w', ...note });
    expect(codesOf(await ann.call('handOff', said))).not.toContain('GOAL_REPLACED');
  });

  it('another goal for the agent to which the first one is offered is other work: each has its own session', async () => {
    const { open: window, clock } = open();
    const ann = window('ann');
    const first = await ann.call('handOff', { ...said, open: ['Is the replica up?'], to: 'bob' });
    clock.now += 1_000;
    const second = await ann.call('handOff', { ...other, to: 'bob' });
    expect(second.sessionKey).not.toBe(first.sessionKey);
    expect(codesOf(second)).not.toContain('GOAL_REPLACED');
    expect(second.warnings).toContainEqual({
      code: 'NEW_SESSION',
      sessionKey: second.sessionKey,
      was: first.sessionKey,
      handoffId: first.handoffId,
      goal: said.goal,
      message: expect.stringMatching(/same work: .*sessionKey.*cancelHandoff/),
    });
    clock.now += 1_000;
    const bob = window('bob');
    const got = await bob.call('resume', { accept: true });
    expect(got).toMatchObject({ sessionKey: second.sessionKey, others: [{ handoffId: first.handoffId }] });
    expect(got.brief.text).not.toContain('replica');
    const rest = await bob.call('resume', { handoffId: first.handoffId, accept: true });
    expect(rest.brief.text).toContain(said.goal);
    expect(rest.brief.text).not.toContain(other.goal);
  });

  it('as the words say, the same work goes back to its session', async () => {
    const { open: window } = open();
    const ann = window('ann');
    const first = await ann.call('handOff', { ...said, to: 'bob' });
    const wrong = await ann.call('handOff', { goal: 'The import, by six', next: ['Index'], to: 'bob' });
    const { sessionKey } = first;
    const right = await ann.call('handOff', { sessionKey, goal: 'The import, by six', to: 'bob' });
    expect(right).toMatchObject({ success: true, sessionKey });
    await ann.call('cancelHandoff', { handoffId: wrong.handoffId });
    await ann.call('closeSession', { sessionKey: wrong.sessionKey });
    expect((await window('bob').call('listSessions')).inbox).toMatchObject([{ handoffId: right.handoffId }]);
  });

  it.each([
    ['the same goal in other letters', { goal: ` ${said.goal.toUpperCase()}. ` }],
    ['no goal', {}],
  ])('assistants:H5 %s replaces the offer', async (_, goal) => {
    const { open: window } = open();
    const ann = window('ann');
    const first = await ann.call('handOff', { ...said, to: 'bob' });
    const second = await ann.call('handOff', { ...goal, next: ['More'], to: 'bob' });
    expect(second.sessionKey).toBe(first.sessionKey);
    expect(codesOf(second)).not.toContain('NEW_SESSION');
    expect((await window('bob').call('listSessions')).inbox).toHaveLength(1);
  });

  it('whoever went on with the offered work, or names its session, means that one', async () => {
    const { open: window, clock } = open();
    const ann = window('ann');
    const first = await ann.call('handOff', { ...said, to: 'bob' });
    const { sessionKey } = first;
    clock.now += 1_000;
    await ann.call('updateContext', { sessionKey, contextType: 'message', content: 'The index is there' });
    clock.now += 1_000;
    const second = await ann.call('handOff', { ...other, to: 'bob' });
    expect(second.sessionKey).toBe(sessionKey);
    expect(codesOf(second)).toContain('GOAL_REPLACED');
    const third = await ann.call('handOff', { goal: 'Third', to: 'bob', sessionKey });
    expect(third.sessionKey).toBe(sessionKey);
  });

  it('assistants:H3 a request that is said again opens no third session', async () => {
    const { open: window } = open();
    const ann = window('ann');
    await ann.call('handOff', { ...said, to: 'bob' });
    const again = () => ann.call('handOff', { ...other, to: 'bob', idempotencyKey: 'k' });
    const second = await again();
    expect(await again()).toMatchObject({ sessionKey: second.sessionKey, replayed: true });
    expect((await window('bob').call('listSessions')).inbox).toHaveLength(2);
  });

  it('of one that is offered to somebody else is refused with the way to a session of its own', async () => {
    const { open: window } = open();
    const ann = window('ann');
    await window('bob').call('registerSession', { sessionKey: 'of-bob', agentFrom: 'bob' });
    await ann.call('handOff', { ...said, to: 'bob' });
    const refused = await ann.call('handOff', { ...other, to: 'carol' });
    expect(refused).toMatchObject({ errorCode: 'CONFLICT' });
    expect(refused.error).toMatch(/cancelHandoff/);
    expect(refused.error).toMatch(/registerSession/);
    await ann.call('registerSession', { sessionKey: 'notes', agentFrom: 'ann' });
    expect(await ann.call('handOff', { ...other, to: 'carol', sessionKey: 'notes' })).toMatchObject({
      success: true,
    });
  });

  it('an unknown key is refused, and the hint names what opens a session', async () => {
    const { open: window } = open();
    const ann = window('ann');
    const refused = await ann.call('handOff', { ...said, sessionKey: 'never' });
    expect(refused).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
    const { hint } = refused.details;
    expect(hint).toMatch(/registerSession opens/);
    expect(hint).toMatch(/handOff without sessionKey/);
  });
});
