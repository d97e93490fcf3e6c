/** The receiver of a handoff: a slip of the pen is mended by the next call, and what goes to oneself is said to be for anyone. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { createWindows, type Windows } from './support/windows.js';

let world: Windows;
const windows = (): Windows['open'] => {
  world = createWindows();
  return world.open;
};
afterEach(() => world.engine.close());

const said = { goal: 'Parse the feed', next: ['Write the test'] };
const warning = ({ warnings = [] }: Payload, code: string) =>
  warnings.find((one: { readonly code: string }) => one.code === code);
/** They were here. */
async function known(open: Windows['open'], ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await open(name).call('registerSession', { sessionKey: `of ${name}`, agentFrom: name });
}
const inboxOf = async (open: Windows['open'], name: string) =>
  (await open(name).call('listSessions')).inbox.length;

describe('assistants:H4 an offer to a name that nobody ever had', () => {
  it.each([
    ['is replaced by one to the right name', { to: 'codex' }],
    ['is replaced by leaving it for whoever comes next', {}],
  ])('%s, in the same submission', async (_, corrected) => {
    const open = windows();
    await known(open, 'codex');
    const claude = open('claude');
    const wrong = await claude.call('handOff', { ...said, to: 'kodecks' });
    expect(warning(wrong, 'TARGET_UNKNOWN')).toBeDefined();
    const right = await claude.call('handOff', { ...said, ...corrected });
    expect(right).toMatchObject({ success: true, sessionKey: wrong.sessionKey });
    expect(warning(right, 'TARGET_REPLACED')).toMatchObject({ was: 'kodecks', handoffId: wrong.handoffId });
    expect(await claude.call('getHandoff', { handoffId: wrong.handoffId })).toMatchObject({
      handoff: { phase: 'cancelled' },
    });
    expect(await inboxOf(open, 'kodecks')).toBe('to' in corrected ? 0 : 1);
    const got = await open('codex').call('resume', { accept: true });
    expect(got).toMatchObject({ yours: true, sessionKey: wrong.sessionKey });
  });

  it('one to somebody who was here stands, and so does one whose target has come since', async () => {
    const open = windows();
    await known(open, 'codex', 'gemini');
    const claude = open('claude');
    const { handoffId } = await claude.call('handOff', { ...said, to: 'gemini' });
    const refused = await claude.call('handOff', { ...said, to: 'codex' });
    expect(refused).toMatchObject({ errorCode: 'CONFLICT', details: { handoffId } });
    const other = open('claude');
    await other.call('handOff', { ...said, goal: 'Other', to: 'late' });
    await known(open, 'late');
    expect(await other.call('handOff', { ...said, goal: 'Other', to: 'codex' })).toMatchObject({
      errorCode: 'CONFLICT',
    });
  });

  it('one of other work stands, and so does every one when only a copy is sent', async () => {
    const open = windows();
    await known(open, 'codex');
    const claude = open('claude');
    const { handoffId } = await claude.call('handOff', { ...said, to: 'new-one' });
    for (const other of [{ goal: 'Other work' }, { ...said, requestType: 'context_transfer' }])
      expect(await claude.call('handOff', { ...other, to: 'codex' })).toMatchObject({
        ...{ errorCode: 'CONFLICT', details: { handoffId } },
      });
  });

  it('over HTTP, where the caller is not to know who is here, every one stands', async () => {
    const open = windows();
    await known(open, 'codex', 'gemini');
    for (const to of ['gemini', 'nobody']) {
      const claude = open('claude', { transport: 'http' });
      await claude.call('handOff', { ...said, to });
      expect(await claude.call('handOff', { ...said, to: 'codex' })).toMatchObject({ errorCode: 'CONFLICT' });
    }
  });
});

describe('assistants:1.4 a name in other letters', () => {
  it.each(['Codex', 'CODEX', 'codex-1', 'Codex 1', 'co_dex'])('%s', async (to) => {
    const open = windows();
    await known(open, 'codex', 'codex_1');
    const handed = await open('claude').call('handOff', { ...said, to });
    const meant = to.includes('1') ? 'codex_1' : 'codex';
    expect(handed).toMatchObject({ success: true, to: meant });
    expect(warning(handed, 'TARGET_UNKNOWN')).toBeUndefined();
    expect(warning(handed, 'TARGET_RESOLVED')).toMatchObject({ target: to, to: meant });
    expect(await inboxOf(open, meant)).toBe(1);
  });

  it('that somebody has, or that two could be, stays as it is', async () => {
    const open = windows();
    await known(open, 'codex', 'Codex', 'co-dex');
    expect(await open('claude').call('handOff', { ...said, to: 'Codex' })).toMatchObject({ to: 'Codex' });
    const unsure = await open('claude').call('handOff', { ...said, to: 'CODEX' });
    expect(unsure).toMatchObject({ to: 'CODEX' });
    expect(warning(unsure, 'TARGET_UNKNOWN').known).toContain('codex');
  });

  it('over HTTP means only those whom the caller knows', async () => {
    const open = windows();
    await known(open, 'codex');
    const claude = open('claude', { transport: 'http' });
    expect(await claude.call('handOff', { ...said, to: 'Codex' })).toMatchObject({ to: 'Codex' });
  });

  it('assistants:H3 is the same request when it is said again', async () => {
    const open = windows();
    const claude = open('claude');
    const say = () => claude.call('handOff', { ...said, to: 'Codex', idempotencyKey: 'k' });
    const first = await say();
    await known(open, 'codex');
    expect(await say()).toMatchObject({ handoffId: first.handoffId, replayed: true, to: 'Codex' });
  });
});

describe('assistants:1.4 to oneself', () => {
  it.each(['claude', 'Claude'])(
    'as %s, anybody may take it, and the answer says so and how it is kept',
    async (to) => {
      const open = windows();
      const claude = open('claude');
      const handed = await claude.call('handOff', { ...said, to });
      expect(handed).toMatchObject({ phase: 'parked' });
      const { message } = warning(handed, 'LEFT_FOR_ANYONE');
      expect(message).toContain(`cancelHandoff {"sessionKey":"${handed.sessionKey}"}`);
      expect(await open('codex').call('resume')).toMatchObject({ kind: 'parked' });
      await claude.call('cancelHandoff', { sessionKey: handed.sessionKey });
      expect(await open('codex').call('resume')).toMatchObject({ kind: 'nothing' });
      expect(await open('claude').call('resume')).toMatchObject({ kind: 'own' });
    },
  );

  it('without to it is meant so, and where only the owner finds it nobody may take it', async () => {
    const open = windows();
    expect(warning(await open('claude').call('handOff', said), 'LEFT_FOR_ANYONE')).toBeUndefined();
    const handed = await open('claude', { transport: 'http' }).call('handOff', { ...said, to: 'claude' });
    expect(warning(handed, 'LEFT_FOR_ANYONE')).toBeUndefined();
    expect(warning(handed, 'ONLY_YOURS')).toBeDefined();
  });
});
