/** Answers in passing: each names what is so, and a next call that is there. */
import { afterEach, expect, it } from 'vitest';
import { inboxText } from '../../packages/server/src/cli/inbox-text.js';
import { SKILLS } from '../../packages/server/src/texts/skills.js';
import type { Payload } from '../kit/mcp-clients.js';
import { agent } from '../kit/principals.js';
import { createWindows, SITE, type Windows } from './support/windows.js';

let world: Windows | undefined;
const windows = (): Windows => {
  world = createWindows();
  return world;
};
afterEach(() => world?.engine.close());

const said = { goal: 'Finish the import before 06:00', next: ['Create the index on the replica'] };
const codesOf = ({ warnings = [] }: Payload): readonly string[] =>
  warnings.map(({ code }: { readonly code: string }) => code);
const entry = { contextType: 'message', content: 'x' };

it('assistants:P3 a window that has closed is no other window', async () => {
  const { open, directory } = windows();
  const first = open('claude');
  const leave = directory.windows.joined(agent('claude'), first.connection);
  const { sessionKey } = await first.call('handOff', { ...said, to: 'codex' });
  const second = open('claude');
  expect(codesOf(await second.call('updateContext', { sessionKey, ...entry }))).toContain('OTHER_WINDOW');
  await first.call('updateContext', { sessionKey, ...entry });
  leave();
  expect(codesOf(await second.call('updateContext', { sessionKey, ...entry }))).not.toContain('OTHER_WINDOW');
});

it('assistants:2.3 work that is offered to a name that nobody has: the way that is left is named', async () => {
  const { open, clock } = windows();
  const { sessionKey, handoffId } = await open('claude').call('handOff', { ...said, to: 'codx' });
  clock.now += 3_600_000;
  const refused = await open('codex').call('resume', { sessionKey, take: true });
  expect(refused).toMatchObject({ errorCode: 'CONFLICT', details: { handoffId } });
  expect(refused.error).toContain(`handover take ${sessionKey} --to codex --now`);
  expect(refused.error).not.toContain('cancelHandoff');
});

it('assistants:1.5 what was answered has no time until which it stands', async () => {
  const { open } = windows();
  const [ann, bob] = [open('ann'), open('bob')];
  const { handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
  expect(await bob.call('resume')).toHaveProperty('expiresAt');
  expect(await bob.call('resume', { handoffId, accept: true })).not.toHaveProperty('expiresAt');
  const { handoffId: other } = await ann.call('handOff', { ...said, to: 'bob' });
  await bob.call('declineHandoff', { handoffId: other });
  const [declined] = (await ann.call('listSessions')).outbox;
  expect(declined).toMatchObject({ phase: 'declined' });
  expect(declined).not.toHaveProperty('expiresAt');
});

it('assistants:1.5 what was left is no offer that could be refused', async () => {
  const { open } = windows();
  await open('claude').call('handOff', said);
  const { kind, instruction } = await open('codex').call('resume');
  expect(kind).toBe('parked');
  expect(instruction).not.toContain('declineHandoff');
});

it('assistants:4.1 a number that no attachment has: the hint is about attachments', async () => {
  const { open } = windows();
  const attachments = [{ name: 'a', content: 'x' }];
  const { handoffId } = await open('claude').call('handOff', { ...said, to: 'codex', attachments });
  const refused = await open('codex').call('readContext', { handoffId, attachment: 2 });
  expect(refused).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
  expect(refused.details.hint).toMatch(/lists its attachments/);
  expect(refused.details.hint).not.toContain('registerSession');
});

it('assistants:1.4 a file that is no text: the form that is wanted', async () => {
  const refused = await windows()
    .open('claude')
    .call('handOff', { ...said, files: [{ path: 'src/queue.ts', why: 'the lock' }] });
  expect(refused).toMatchObject({ errorCode: 'VALIDATION_ERROR', details: { field: 'files.0' } });
  expect(refused.error).toContain('files.0: must be one text, as in "src/queue.ts: the lock is taken here"');
});

it('assistants:B4 an unknown kind of note says how the entry is mended', async () => {
  const { open } = windows();
  const claude = open('claude');
  const { sessionKey } = await claude.call('handOff', said);
  const noted = await claude.call('updateContext', { sessionKey, ...entry, metadata: { note: 'mood' } });
  expect(noted.warnings.at(-1)).toMatchObject({ code: 'NOTE_KIND_UNKNOWN', entry: 2 });
  expect(noted.warnings.at(-1).message).toContain('metadata.supersedes 2');
});

it('assistants:P2 an offer of another project is listed and shown as such', async () => {
  const { open } = windows();
  const { handoffId } = await open('claude').call('handOff', { ...said, to: 'codex' });
  const offer = async (more = {}) => {
    const codex = open('codex', more);
    const [listed] = (await codex.call('listSessions')).inbox;
    return { listed, shown: await codex.call('resume', { handoffId }) };
  };
  const elsewhere = await offer({ project: SITE });
  expect(elsewhere.listed).toMatchObject({ handoffId, project: 'shop' });
  expect(elsewhere.shown.warnings).toMatchObject([{ code: 'OTHER_PROJECT', project: 'shop' }]);
  const here = await offer();
  expect(here.listed).not.toHaveProperty('project');
  expect(codesOf(here.shown)).toEqual([]);
});

it('assistants:8 of several offers the inbox names the call for each', () => {
  const item = (sessionKey: string) => ({ sessionKey, handoffId: `${sessionKey}:h1`, by: 'ann', at: 0 });
  const none = { acceptances: [], parked: [], taken: [], declined: [], left: [], otherOwn: [], shared: [] };
  const text = (...keys: string[]) => {
    const inboxes = [{ agent: 'bob', items: { ...none, offers: keys.map(item) } }];
    return inboxText({ at: 1, canTake: true, anyone: [], inboxes });
  };
  expect(text('a')).toContain('take it: resume in bob');
  expect(text('a', 'b')).toContain('take it: resume {"handoffId": "b:h1", "accept": true} in bob');
});

it('assistants:7.7 picking up looks before it claims', () => {
  const body = SKILLS.find(({ name }) => name === 'pickup')?.body ?? '';
  expect(body.indexOf('only shows')).toBeGreaterThan(0);
  expect(body.indexOf('only shows')).toBeLessThan(body.indexOf('accept true'));
});
