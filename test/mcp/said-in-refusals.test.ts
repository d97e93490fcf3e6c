/** Refusals say what to do next, and answers what a user has to choose by. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { createWindows, type Windows } from './support/windows.js';

let world: Windows;
beforeEach(() => {
  world = createWindows();
});
afterEach(() => world.engine.close());

const warning = ({ warnings = [] }: Payload, code: string) =>
  warnings.find((one: { readonly code: string }) => one.code === code);
const said = { goal: 'Finish the import before 06:00', next: ['Create the index'] };

describe('assistants:7.1 a refusal says what to do', () => {
  it('registerSession with a key that is there says how to go on with it', async () => {
    const claude = world.open('claude');
    await claude.call('registerSession', { sessionKey: 's1', agentFrom: 'claude' });
    const own = await claude.call('registerSession', { sessionKey: 's1', agentFrom: 'claude' });
    expect(own).toMatchObject({ errorCode: 'CONFLICT', error: 'Session already exists' });
    expect(own.details.hint).toMatch(/It is yours and open: go on with updateContext/);
    const other = await world.open('codex').call('registerSession', { sessionKey: 's1', agentFrom: 'codex' });
    expect(JSON.stringify(other)).not.toContain('claude');
  });

  it('whoever may not answer or commit is told who does, and what helps', async () => {
    const [claude, codex] = [world.open('claude'), world.open('codex')];
    const { handoffId } = await claude.call('handOff', { ...said, to: 'codex' });
    const declined = await claude.call('declineHandoff', { handoffId });
    expect(declined).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(declined.error).toMatch(/only codex.*cancelHandoff withdraws it/);
    const committed = await codex.call('commitHandoff', { handoffId });
    expect(committed.error).toMatch(/claude, who offered it, commits it; resume .*accept: true/);
    const unknown = await codex.call('declineHandoff', { handoffId: 'nope' });
    expect(unknown.details.hint).toMatch(/inbox/);
    expect(unknown.details.hint).not.toContain('registerSession');
  });

  it('handOff that says nothing names all that it may say', async () => {
    const { error } = await world.open('claude').call('handOff', {});
    for (const word of ['goal', 'decisions', 'tried', 'files', 'attachments']) expect(error).toContain(word);
  });

  it('an unknown argument is answered with those that are known', async () => {
    const { error } = await world.open('claude').call('handOff', { target: 'codex', summary: 'x' });
    expect(error).toMatch(/target: is not a known argument; known are to, goal, next/);
    expect(error.match(/known are/g)).toHaveLength(1);
  });

  it.each([' s1', 's1 ', '\u00a0s1'])('registerSession refuses the key %j', async (sessionKey) => {
    const refused = await world.open('claude').call('registerSession', { sessionKey, agentFrom: 'claude' });
    expect(refused).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
    expect(refused.error).toContain('blank');
  });
});

describe('assistants:1.6 what a user chooses by', () => {
  it('offers, what was left, and what resume names beside are listed with what they are about', async () => {
    const [claude, codex] = [world.open('claude'), world.open('codex')];
    await claude.call('handOff', { goal: 'The first goal', next: ['a'], to: 'codex' });
    world.clock.now += 1_000;
    await world.open('gemini').call('handOff', { goal: 'The second goal', next: ['b'] });
    const { inbox } = await codex.call('listSessions');
    const titles = inbox.map(({ title }: { readonly title: string }) => title);
    expect(titles).toEqual(['The first goal', 'The second goal']);
    const got = await codex.call('resume');
    expect(got).toMatchObject({ from: 'gemini', others: [{ kind: 'offer', title: 'The first goal' }] });
    const { outbox } = await claude.call('listSessions');
    expect(outbox).toMatchObject([{ to: 'codex', title: 'The first goal' }]);
  });
});

describe('assistants:1.4 what the brief leaves out', () => {
  it('is said as a warning where it is a note', async () => {
    const decisions = Array.from({ length: 50 }, (_, i) => `Decision ${i}: ${'because of this '.repeat(60)}`);
    const handed = await world.open('claude').call('handOff', { ...said, decisions, to: 'codex' });
    const { omitted } = handed.brief;
    expect(omitted.decision).toBeGreaterThan(0);
    expect(warning(handed, 'NOTES_LEFT_OUT')).toMatchObject({ omitted: { decision: omitted.decision } });
    const small = await world.open('claude').call('handOff', { ...said, to: 'codex' });
    expect(warning(small, 'NOTES_LEFT_OUT')).toBeUndefined();
  });
});

describe('assistants:1.5 what came after the package', () => {
  it('is shown with what it is for the brief', async () => {
    const [claude, codex] = [world.open('claude'), world.open('codex')];
    const { sessionKey } = await claude.call('handOff', { ...said, open: ['q1'], to: 'codex' });
    const entry = { sessionKey, contextType: 'message', content: 'q1 is solved' };
    await claude.call('updateContext', { ...entry, metadata: { note: 'done', supersedes: 1 } });
    await claude.call('updateContext', { ...entry, content: 'plain' });
    const { delta } = await codex.call('resume', { accept: true });
    expect(delta.entries).toMatchObject([{ kinds: ['done'], supersedes: 1 }, { content: 'plain' }]);
    expect(delta.entries[1]).not.toHaveProperty('kinds');
  });
});
