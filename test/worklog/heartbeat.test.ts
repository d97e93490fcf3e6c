/** Signs of life that hooks give, as the socket answers them (assistants:2.3, assistants:5.1). */
import { expect, it } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import type { Log } from '../../packages/server/src/observe/log.js';
import { AgentDirectory } from '../../packages/server/src/services/agents/agent-directory.js';
import {
  answerLine,
  type HookServices,
  takeCapture,
  takeHook,
} from '../../packages/server/src/services/handoffs/hook-visits.js';
import { alice } from '../kit/principals.js';
import { createWorld, T0 } from './world.js';

const warned: string[] = [];
const log = { warn: (event: string) => warned.push(event) } as unknown as Log;
const conversation = { client: 'claude', clientSession: 'c1', event: 'Stop' };
const project = { id: 'dir:0123456789abcdef', name: 'shop' };

const answerHook = (services: HookServices, principal: Principal, line: string) =>
  answerLine(line, (body) => takeHook(services, principal, body, { transport: 'stdio' }));
const answerCapture = (services: HookServices, principal: Principal, line: string) =>
  answerLine(line, (body) => takeCapture(services, principal, body, { transport: 'stdio' }));

function services() {
  const world = createWorld();
  const { handoffs, clock, store } = world;
  const directory = new AgentDirectory({ agents: store.agents, now: () => clock.now, log });
  return { world, handoffs, directory, now: () => clock.now };
}

it('assistants:5.1 every hook and every capture is a sign of life in its project', async () => {
  const { world, ...visited } = services();
  const beats = async () => (await world.store.agents.find(alice.tenant, 'alice'))?.heartbeats;
  expect(await answerHook(visited, alice, '{}')).toMatchObject({ later: false });
  expect(await answerHook(visited, alice, '{')).toEqual({
    refused: 'the second line is no JSON',
    later: false,
  });
  expect(await beats()).toBeUndefined();
  expect(await answerHook(visited, alice, JSON.stringify({ ...conversation, project }))).toEqual({});
  expect(await beats()).toEqual({ [project.id]: T0 });
  world.clock.now += 1_000;
  await answerHook(visited, alice, JSON.stringify(conversation));
  expect(await beats()).toEqual({ [project.id]: T0, '': T0 + 1_000 });
  world.clock.now += 1_000;
  const entry = { content: 'text', metadata: { capture: {} }, idempotencyKey: 'k' };
  const asked = JSON.stringify({ ...conversation, ...entry, project });
  expect(await answerCapture(visited, alice, asked)).toMatchObject({ stored: false });
  expect(await beats()).toEqual({ [project.id]: T0 + 2_000, '': T0 + 1_000 });
});

it('assistants:5.1 a sign of life that cannot be stored is logged and fails no hook', async () => {
  const { handoffs } = services();
  const full = { note: () => Promise.reject(new Error('the disk is full')) };
  const directory = new AgentDirectory({ agents: full as never, now: () => T0, log });
  expect(
    await answerHook({ handoffs, directory, now: () => T0 }, alice, JSON.stringify(conversation)),
  ).toEqual({});
  expect(warned).toEqual(['agents.not_noted']);
});
