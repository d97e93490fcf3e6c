/** assistants 8: work of which nobody said the goal is called by what its user asked first, wherever a title stands. */
import { beforeEach, expect, it } from 'vitest';
import { answerWaiting } from '../../packages/server/src/services/handoffs/waiting/answer-waiting.js';
import type { Inboxes } from '../../packages/server/src/services/handoffs/waiting/inboxes.js';
import { agent } from '../kit/principals.js';
import { capture, createWindows, SHOP, type Windows } from './support/windows.js';

const ASKED = 'The nightly import must finish before 06:00.';
const CONTENT = `## First asked\n- ${ASKED}\n## Last asked\n- Go on.`;
const MINUTE = 60_000;

let world: Windows;
beforeEach(() => {
  world = createWindows();
});

const told = async (name: string) => {
  const conversation = { client: 'claude', clientSession: 'new', event: 'SessionStart', project: SHOP };
  return (await world.handoffs.hookText(agent(name), conversation, { transport: 'stdio' }))?.text;
};

function inbox(name?: string): Promise<Inboxes> {
  const { deps, store, configuration } = world;
  const source = { ...deps, store, taking: configuration.taking };
  return answerWaiting(source, agent('claude'), JSON.stringify({ agent: name })) as Promise<Inboxes>;
}

it('assistants:8 what the end of a conversation left', async () => {
  await capture(world, 'claude', { event: 'SessionEnd', park: true, content: CONTENT });
  const line = `claude left shop-claude-c1 just now without handing it over: "${ASKED}".`;
  expect(await told('codex')).toBe(
    `${line} To take it, if the user wants you to go on: resume {"take": true}.`,
  );
  expect((await inbox('codex')).inboxes[0]?.items.left).toMatchObject([{ goal: ASKED }]);
  expect((await inbox()).anyone).toMatchObject([{ goal: ASKED, unasked: true }]);
});

it('assistants:8 the work of a silent owner, and own work, also when more was written after the capture', async () => {
  await capture(world, 'claude', { content: CONTENT });
  const claude = world.open('claude');
  const more = { sessionKey: 'shop-claude-c1', contextType: 'message', content: 'One more thing.' };
  await claude.call('updateContext', more);
  expect(await told('claude')).toContain(`Your last session here: shop-claude-c1, just now: "${ASKED}".`);
  expect(await claude.call('listSessions')).toMatchObject({ sessions: [{ title: ASKED }] });
  world.clock.now += 11 * MINUTE;
  expect(await told('codex')).toContain(
    `claude left shop-claude-c1 11 min ago without handing it over: "${ASKED}".`,
  );
});

it('assistants:8 a goal comes before it', async () => {
  await capture(world, 'claude', { content: CONTENT });
  const claude = world.open('claude');
  const goal = { contextType: 'message', content: 'Done by six.', metadata: { note: 'goal' } };
  await claude.call('updateContext', { ...goal, sessionKey: 'shop-claude-c1' });
  await capture(world, 'claude', { content: CONTENT });
  expect(await told('claude')).toContain('"Done by six."');
  expect(await claude.call('listSessions')).toMatchObject({ sessions: [{ title: 'Done by six.' }] });
});
