/** Agents choose the names of extension modes and of their messages: a name may be a member of every object. */
import { expect, it } from 'vitest';
import { envelopeOf, start } from '../kit/envelopes.js';
import { until } from '../kit/until.js';
import { createWorld } from '../kit/world.js';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
const MODE = 'ext.names.v1';
const SESSION = 'names-of-objects-session-01';

it('a message type that every object has as a member is stored, counted and published like any other', async () => {
  const failures: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (event: string) => failures.push(event) };
  const world = createWorld({ log });
  const owner = world.principal('owner');
  const flaw = await world.services.registries.changeModes(owner, {
    kind: 'register',
    descriptor: {
      mode: MODE,
      modeVersion: '1.0.0',
      title: '',
      description: '',
      determinismClass: '',
      participantModel: '',
      messageTypes: ['SessionStart', ...NAMES, 'Commitment'],
      terminalMessageTypes: ['Commitment'],
      schemaUris: {},
    },
  });
  expect(flaw).toBeUndefined();
  const opening = start(SESSION, 'owner', { participants: ['owner', 'a'] });
  expect(await world.send({ ...opening, mode: MODE })).toMatchObject({ ok: true });
  const follower = world.engine.follow(await world.engine.position());
  for (const name of NAMES) {
    const sent = envelopeOf(SESSION, 'a', name, new Uint8Array(0), { mode: MODE });
    expect(await world.send(sent), name).toMatchObject({ ok: true });
  }
  const published: string[] = [];
  await until(
    async () => {
      for (const { entry } of (await follower.next()) ?? []) published.push(entry.type);
      return published;
    },
    (types) => types.length === NAMES.length,
  );
  expect(published).toEqual(NAMES);
  expect(failures).toEqual([]);
  follower.close();
  await world.engine.close();
});
