/**
 * The first thing that hooks report of a conversation is its end, and its program does not say which of its windows it is.
 * Real commands in an empty home, as in the guide.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Home } from '../cli/install/support.js';
import { until } from '../kit/until.js';
import { kill, serversOn } from '../stdio/support.js';
import { InstalledAssistant } from './installed-assistant.js';

// biome-ignore lint/suspicious/noExplicitAny: the tests check what came over the wire, not the compiler
type Wire = any;

const SESSION = '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01';
const OTHER = '0a9b8c7d-6e5f-4a3b-8c1d-2e3f4a5b6c7d';

let home: Home;
let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  for (const pid of serversOn(home.path)) kill(pid, 'SIGTERM');
  await until(() => serversOn(home.path).length === 0);
});

async function installed(env: Readonly<Record<string, string>> = {}) {
  home = new Home().program('claude');
  const claude = new InstalledAssistant(home, 'claude', {
    session: SESSION,
    era: 'modern',
    named: false,
    env,
  });
  const codex = new InstalledAssistant(home, 'codex', { session: OTHER, era: 'legacy' });
  ends = [() => claude.die(), () => codex.close()];
  expect(await home.run('install', 'claude')).toMatchObject({ code: 0 });
  expect(await home.run('install', 'codex')).toMatchObject({ code: 0 });
  await claude.hook('SessionStart', { source: 'startup' });
  await claude.call('registerSession', { sessionKey: 'nightly-import', agentFrom: 'claude' });
  const note = (kind: string, content: string) =>
    claude.call('updateContext', {
      ...{ sessionKey: 'nightly-import', contextType: 'message', content, metadata: { note: kind } },
    });
  await note('goal', 'The import is done by six.');
  await note('next', 'Create the index on the replica.');
  claude.says('user', 'The nightly import must finish before 06:00.');
  claude.says('user', 'Go on with the replica.');
  return { claude, codex };
}

const seenBy = (codex: InstalledAssistant) =>
  until(
    () => codex.hook('SessionStart', { source: 'startup' }),
    (seen) => seen.includes('nightly-import'),
    { everyMs: 100 },
  );

it.each([
  ['StopFailure', { error: 'rate_limit' }, { accept: true }, 'parked'],
  ['SessionEnd', { reason: 'other' }, { take: true }, 'left'],
] as const)(
  'assistants:X2 %s first leaves what the conversation worked on',
  async (event, about, taking, kind) => {
    const { claude, codex } = await installed();
    // Some clients start a first process only to ask what it speaks: nobody holds a conversation in that short a time.
    if (event === 'SessionEnd') await sleep(5_500);
    await claude.hook(event, about);
    claude.die();
    expect(await seenBy(codex)).toContain('The import is done by six.');
    expect(await codex.call('resume', taking)).toMatchObject({
      ...{ kind, yours: true, sessionKey: 'nightly-import', owner: 'codex' },
    });
  },
  60_000,
);

it('assistants:X3 killed outright in the middle of a turn: what the last Stop kept is there for another agent', async () => {
  const { claude, codex } = await installed({ HANDOVER_TAKEOVER_AFTER_SECS: '0' });
  claude.says('assistant', [{ type: 'text', text: 'The lock is gone; the index is next.' }]);
  await claude.hook('Stop');
  const kept = () => claude.call('readContext', { sessionKey: 'nightly-import', last: 5 });
  const captured = ({ metadata }: Wire) => metadata?.capture?.event === 'Stop';
  await until(kept, ({ entries }) => entries.some(captured), { everyMs: 100 });
  // The next turn has begun; no hook tells of it, nor of its end.
  claude.says('user', 'Now drop the old table.');
  claude.says('assistant', [{ type: 'text', text: 'Half of an ans' }]);
  claude.die();
  const got = await codex.call('resume', { take: true });
  expect(got).toMatchObject({ yours: true, sessionKey: 'nightly-import', owner: 'codex' });
  const { entries } = await codex.call('readContext', { sessionKey: 'nightly-import', last: 5 });
  const [entry, ...others] = entries.filter(captured);
  expect(others).toEqual([]);
  for (const text of [entry.content, got.brief.text]) {
    expect(text).toContain('Go on with the replica.');
    expect(text).toContain('The lock is gone; the index is next.');
    expect(text).not.toMatch(/drop the old table|Half of an ans/);
  }
}, 60_000);

it('assistants:5.2 tells of silent work by the setting of the running server', async () => {
  const { claude, codex } = await installed({ HANDOVER_TAKEOVER_AFTER_SECS: '2' });
  claude.die();
  expect(await seenBy(codex)).toContain('claude left nightly-import');
}, 60_000);
