/** Whom a caller may know of: in the completion of a receiver, and in the warning of one that is not known. */
import { expect, it } from 'vitest';
import { complete } from '../../packages/server/src/doors/mcp/completion.js';
import { admin, agent, alice, bob, carol } from '../kit/principals.js';
import { START, send } from '../worklog/macp.js';
import { openToolWorld } from './support/tool-world.js';

const http = { transport: 'http', since: 0 } as const;
const stdio = { transport: 'stdio', since: 0 } as const;
const SESSION = 'm'.repeat(36);

async function open() {
  const world = openToolWorld();
  await world.directory.atWork(bob, undefined);
  await world.directory.atWork(agent('stranger'), undefined);
  await world.call(alice, 'registerSession', { sessionKey: 'work', agentFrom: 'alice' });
  const shared = { sessionKey: 'work', to: 'bob', requestType: 'collaboration', goal: 'g' };
  const { handoffId } = await world.call(alice, 'handOff', shared);
  await world.call(bob, 'acceptHandoff', { handoffId });
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
      message: expect.stringMatching(
        /^you have shared no work .* ask .* exact name.* until .*T.*cancelHandoff/,
      ),
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
  expect(await names()).not.toContain('bobb');
  const { warnings } = await world.call(alice, 'handOff', { ...asked, to: 'bobbb' }, stdio);
  const known = ['bob', 'stranger'];
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'TARGET_UNKNOWN', known }));
  await world.engine.close();
});

it('assistants:H4 a slip of the pen stays one, however often it is made, and nobody learns it as a name', async () => {
  const world = openToolWorld();
  await world.directory.atWork(agent('codex'), undefined);
  await world.directory.atWork(agent('claude'), undefined);
  await world.call(alice, 'registerSession', { sessionKey: 'work', agentFrom: 'alice' });
  const asked = { sessionKey: 'work', requestType: 'context_transfer', goal: 'g' };
  for (const to of ['Codxe', 'codx', 'Codxe', 'codx']) {
    const { warnings, handoffId } = await world.call(alice, 'handOff', { ...asked, to }, stdio);
    const [unknown] = warnings.filter(({ code }: { code: string }) => code === 'TARGET_UNKNOWN');
    expect(unknown).toMatchObject({ target: to, known: ['codex', 'claude'] });
    await world.call(alice, 'cancelHandoff', { handoffId });
  }
  await world.call(alice, 'requestHandoff', {
    ...{ sessionKey: 'work', targetAgent: 'cdx' },
    requestType: 'context_transfer',
  });
  const { agents } = await world.call(alice, 'whoAmI', {}, stdio);
  const listed = agents.map((one: { agent: string }) => one.agent).sort();
  expect(listed).toEqual(['claude', 'codex']);
  const over = await world.call(alice, 'whoAmI', {}, http);
  expect(over.agents).toEqual([]);
  await world.engine.close();
});

it('assistants:1.6 whoever took part is known, also without a connection of its own; the operator is nobody', async () => {
  const world = openToolWorld();
  const names = async () =>
    (await world.call(carol, 'whoAmI', {}, stdio)).agents.map((one: { agent: string }) => one.agent).sort();
  // alice and bob speak MACP only.
  await world.handoffs.registerSession(alice, { sessionKey: 'work', agentFrom: 'alice' });
  expect(await names()).toEqual(['alice']);
  const start = { ...START, participants: ['bob', 'dan', 'erin'] };
  expect(await send(world, bob, SESSION, 'SessionStart', start)).toMatchObject({ ok: true });
  await send(world, bob, SESSION, 'HandoffOffer', {
    handoffId: 'h',
    targetParticipant: 'dan',
    scope: 's',
    reason: '',
  });
  expect(await names()).toEqual(['alice', 'bob']);
  await send(world, agent('dan'), SESSION, 'HandoffDecline', {
    handoffId: 'h',
    declinedBy: 'dan',
    reason: '',
  });
  expect(await names()).toEqual(['alice', 'bob', 'dan']);
  await world.handoffs.takeOver(bob, {
    ...{ sessionKey: 'work', policy: { by: 'silent', afterSecs: 0 }, lastSignAt: 0 },
  });
  expect(await names()).toEqual(['alice', 'bob', 'dan']);
  await world.engine.close();
});
