/** Whom a caller may know of: in the completion of a receiver, and in the warning of one that is not known. */
import { expect, it } from 'vitest';
import { complete } from '../../packages/server/src/doors/mcp/completion.js';
import { admin, agent, alice, bob } from '../kit/principals.js';
import { openToolWorld } from './support/tool-world.js';

const http = { transport: 'http', since: 0 } as const;
const stdio = { transport: 'stdio', since: 0 } as const;

async function open() {
  const world = openToolWorld();
  await world.directory.atWork(bob, undefined);
  await world.directory.atWork(agent('stranger'), undefined);
  await world.call(alice, 'registerSession', { sessionKey: 'work', agentFrom: 'alice' });
  await world.call(alice, 'handOff', {
    sessionKey: 'work',
    to: 'bob',
    requestType: 'collaboration',
    goal: 'g',
  });
  return world;
}

it('assistants:7.7 a receiver is completed from the directory: of all on stdio, of one’s own over HTTP', async () => {
  const world = await open();
  const names = async (...[principal, connection]: [typeof alice, typeof http | typeof stdio]) =>
    (await complete(world, { principal, connection }, 'to', '')).values.sort();
  expect(await names(alice, http)).toEqual(['bob']);
  expect(await names(alice, stdio)).toEqual(['bob', 'stranger']);
  expect(await names(admin('carol'), http)).toEqual(['alice', 'bob', 'stranger']);
  expect(await names(bob, http)).toEqual(['alice']);
  expect((await complete(world, { principal: alice, connection: stdio }, 'to', 'str')).values).toEqual([
    'stranger',
  ]);
  await world.engine.close();
});

it('assistants:H4 over HTTP the warning does not tell who is here', async () => {
  const world = await open();
  const warned = async (to: string, connection: typeof http | typeof stdio) => {
    const asked = { sessionKey: 'work', to, requestType: 'collaboration' };
    const { warnings = [] } = await world.call(alice, 'handOff', asked, connection);
    return warnings.filter(({ code }: { code: string }) => code === 'TARGET_UNKNOWN');
  };
  const unknown = (target: string) => [
    {
      code: 'TARGET_UNKNOWN',
      target,
      known: ['bob'],
      message: expect.stringMatching(/^you have shared no work/),
    },
  ];
  expect(await warned('stranger', http)).toEqual(unknown('stranger'));
  expect(await warned('nobody', stdio)).toMatchObject([
    { known: expect.arrayContaining(['stranger']), message: expect.stringMatching(/^nobody of that name/) },
  ]);
  expect(await warned('bob', http)).toEqual([]);
  await world.engine.close();
});

it('assistants:H4 who looks for a name that nobody has makes no agent of it, and no advice either', async () => {
  const world = await open();
  await world.directory.looked(agent('nobody'), undefined, 1);
  const names = async () => (await world.directory.everybody(alice.tenant, 9)).map(({ agent: name }) => name);
  expect(await names()).not.toContain('nobody');
  const asked = { sessionKey: 'work', requestType: 'collaboration' };
  await world.call(alice, 'handOff', { ...asked, to: 'bobb' }, stdio);
  expect(await names()).toContain('bobb');
  const { warnings } = await world.call(alice, 'handOff', { ...asked, to: 'bobbb' }, stdio);
  const known = ['bob', 'stranger'];
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'TARGET_UNKNOWN', known }));
  await world.engine.close();
});
