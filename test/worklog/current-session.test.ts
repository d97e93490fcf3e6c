/** assistants 1.2: the working session that a window is at, its project, and the other windows of its assistant. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { CurrentSessions } from '../../packages/server/src/services/handoffs/current-session.js';
import { Worklogs, worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { createWorld, type World } from './world.js';

const window = (instance: string, more: Partial<Connection> = {}): Connection => ({
  transport: 'stdio',
  since: 0,
  instance,
  ...more,
});
const one = window('aaaaaaaa', {
  project: { id: 'git:0123456789abcdef', name: 'shop', root: '/home/a/shop' },
});
const two = window('bbbbbbbb');

let world: World;
beforeEach(() => {
  world = createWorld();
});

const register = (sessionKey: string, connection?: Connection) =>
  ok(world.handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }, connection));
const write = (sessionKey: string, connection?: Connection, who = alice) =>
  ok(world.handoffs.updateContext(who, { sessionKey, contextType: 'message', content: 'x' }, connection));
/** As a new process of the server sees it: from the log alone. */
function afterRestart(): CurrentSessions {
  const deps = world.deps as unknown as ConstructorParameters<typeof Worklogs>[0];
  return new CurrentSessions(deps, new Worklogs({ ...deps, store: world.store }));
}
const currentOf = async (connection: Connection | undefined, who = alice) =>
  (await afterRestart().find(who, connection))?.ref.id;
const stateOf = async (key: string) => (await world.engine.query(worklogRef('default', key)))?.state;

describe('assistants 1.2 the current session, found in the log', () => {
  it('is the one that the window registered or wrote to last', async () => {
    await register('first', one);
    expect(await currentOf(one)).toBe('first');
    world.clock.now += 1;
    await register('second', one);
    await register('of two', two);
    expect([await currentOf(one), await currentOf(two)]).toEqual(['second', 'of two']);
    world.clock.now += 1;
    await write('first', one);
    expect(await currentOf(one)).toBe('first');
  });

  it('is none for others: another agent with the same digits, a caller without a window', async () => {
    await register('first', one);
    expect(await currentOf(one, bob)).toBeUndefined();
    expect(await currentOf(undefined)).toBeUndefined();
    expect(await currentOf({ transport: 'http', since: 0 })).toBeUndefined();
    expect(await currentOf(window('cccccccc'))).toBeUndefined();
  });

  it('is none that was closed, and none that is another’s now', async () => {
    await register('first', one);
    world.clock.now += 1;
    await register('second', one);
    const stream = worklogRef('default', 'second');
    const close = { kind: 'close', outcome: 'done', payload: new Uint8Array() } as const;
    await world.engine.submit({ agent: 'alice', steps: [{ stream, command: close }], bytes: 1 });
    expect(await currentOf(one)).toBe('first');
    const request = {
      sessionKey: 'first',
      targetAgent: 'bob',
      requestType: 'full_handoff',
      autoCommit: true,
    };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, request as never));
    expect(await currentOf(one)).toBe('first');
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(await currentOf(one)).toBeUndefined();
    await write('first', window('dddddddd'), bob);
    expect(await currentOf(window('dddddddd'), bob)).toBe('first');
  });

  it('is no older one where the newest is another’s now, also when that one has written to it', async () => {
    await register('older', one);
    world.clock.now += 1;
    await register('given', one);
    const request = {
      sessionKey: 'given',
      targetAgent: 'bob',
      requestType: 'full_handoff',
      autoCommit: true,
    };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, request as never));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(await afterRestart().look(alice, one)).toMatchObject({ gone: { ref: { id: 'given' } } });
    await write('given', window('dddddddd'), bob);
    expect(await currentOf(one)).toBeUndefined();
    expect(await afterRestart().look(alice, one)).toMatchObject({ gone: { ref: { id: 'given' } } });
    world.clock.now += 1;
    await write('older', one);
    expect(await currentOf(one)).toBe('older');
  });

  it('else is the newest one that a hook opened for the same conversation', async () => {
    const payload = new Uint8Array();
    const lifetimes = world.deps.settingsNow().lifetimes;
    for (const [key, clientSession] of [
      ['hooked', 'talk-1'],
      ['hooked later', 'talk-1'],
      ['hooked elsewhere', 'talk-2'],
    ] as const) {
      world.clock.now += 1;
      const command = {
        kind: 'register',
        id: key,
        lifetimes,
        payload,
        client: 'claude',
        clientSession,
      } as const;
      const stream = worklogRef('default', key);
      await world.engine.submit({ agent: 'alice', steps: [{ stream, command }], bytes: 1 });
    }
    const talk = window('eeeeeeee', { client: { name: 'claude', session: 'talk-1' } });
    expect(await currentOf(talk)).toBe('hooked later');
    expect(await currentOf(talk, bob)).toBeUndefined();
    await register('own', talk);
    await write('hooked later', two);
    expect(await currentOf(talk)).toBe('own');
  });

  it('reads a bounded number of working sessions', async () => {
    for (let i = 0; i < 110; i++) await register(`k${i}`, two);
    let queries = 0;
    const engine = new Proxy(world.engine, {
      get(target, name) {
        if (name === 'query') queries += 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const deps = { ...world.deps, engine, store: world.store } as never;
    await new CurrentSessions(deps, new Worklogs(deps)).find(alice, one);
    expect(queries).toBe(100);
  });
});

it('a working session keeps the project of the connection that registered it, and not where it is', async () => {
  await register('k', one);
  await write('k', two);
  expect((await stateOf('k'))?.project).toEqual({ id: 'git:0123456789abcdef', name: 'shop' });
  const [first] = await world.store.load(worklogRef('default', 'k'), 0, 1);
  expect(JSON.stringify(first)).not.toContain('/home/a');
});

it('an entry names the kinds of its notes, and the state the newest goal', async () => {
  await register('k', one);
  const note = { goal: 'g', next: ['a', 'b'] };
  const entry = { sessionKey: 'k', contextType: 'message', content: '' };
  await ok(world.handoffs.updateContext(alice, { ...entry, metadata: { note } }, one));
  await write('k', one);
  const [, noted, plain] = await world.store.load(worklogRef('default', 'k'), 0, 3);
  expect(noted?.facts.kinds).toEqual(['goal', 'next']);
  expect(plain?.facts).not.toHaveProperty('kinds');
  expect((await stateOf('k'))?.goalSequence).toBe(1);
});

describe('assistants:P3 another window of the caller', () => {
  it('is named when it wrote in the ten minutes before', async () => {
    await register('k', one);
    const at = world.clock.now;
    expect(await write('k', one)).not.toHaveProperty('otherWindow');
    world.clock.now += 600_000;
    expect(await write('k', two)).toMatchObject({ otherWindow: { instance: 'aaaaaaaa', at } });
    world.clock.now += 600_001;
    expect(await write('k', one)).not.toHaveProperty('otherWindow');
  });

  it('is not one of another agent, and nothing is said to a caller without a window', async () => {
    await register('k', one);
    const request = { sessionKey: 'k', targetAgent: 'bob', requestType: 'collaboration', autoCommit: true };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, request as never));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(await write('k', two, bob)).not.toHaveProperty('otherWindow');
    expect(await write('k', undefined)).not.toHaveProperty('otherWindow');
  });
});
