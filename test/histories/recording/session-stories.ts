/** Sessions over MACP, one of each kind. */

import { sessionRef } from '../../../packages/server/src/services/stream-refs.js';
import { accept, commit, context, decline, envelope, offer, start } from '../../kit/envelopes.js';
import { createWorld, type World } from '../../kit/world.js';
import type { Stories } from './story.js';

type Tell = (world: World, id: string) => Promise<void>;

const say = async (world: World, ...messages: readonly ReturnType<typeof start>[]): Promise<void> => {
  for (const message of messages) {
    world.clock.now += 10;
    const ack = await world.send(message);
    if (!ack.ok) throw new Error(`${message.messageType}: ${ack.error?.message}`);
  }
};
const steer = async (world: World, id: string, control: 'cancel' | 'suspend' | 'resume', after: number) => {
  world.clock.now += after;
  await world.services.sessions.control(world.principal('owner'), id, control, 'because');
};
const policy = async (world: World, policyId: string, acceptance: Record<string, number>) => {
  const mode = 'macp.mode.handoff.v1';
  const rules = { acceptance };
  const flaw = await world.services.registries.registerPolicy(world.principal('owner'), {
    policyId,
    mode,
    description: '',
    schemaVersion: 1,
    rules,
  });
  if (flaw) throw new Error(flaw.message);
};

const told: Readonly<Record<string, Tell>> = {
  committed: async (world, id) =>
    say(
      world,
      start(id),
      offer(id, 'h1', 'a'),
      context(id, 'h1'),
      accept(id, 'h1', 'a'),
      context(id, 'h1', 'late'),
      commit(id),
    ),
  'declined-then-accepted': async (world, id) =>
    say(
      world,
      start(id),
      offer(id, 'h1', 'a'),
      decline(id, 'h1', 'a'),
      offer(id, 'h2', 'b'),
      accept(id, 'h2', 'b'),
      commit(id),
    ),
  'negative-outcome': async (world, id) =>
    say(
      world,
      start(id),
      offer(id, 'h1', 'a'),
      decline(id, 'h1', 'a'),
      commit(id, 'owner', { action: 'handoff.declined', outcomePositive: false }),
    ),
  'suspended-and-cancelled': async (world, id) => {
    await say(world, start(id), offer(id, 'h1', 'a'));
    await steer(world, id, 'suspend', 1_000);
    await steer(world, id, 'resume', 5_000);
    await steer(world, id, 'cancel', 1_000);
  },
  'implicit-accept-then-expired': async (world, id) => {
    await policy(world, 'policy.silence', { implicit_accept_timeout_ms: 1_000 });
    await say(world, start(id, 'owner', { policyVersion: 'policy.silence' }), offer(id, 'h1', 'a'));
    world.clock.now += 120_000;
    await world.state(id);
  },
  'extension-mode': async (world, id) => {
    const mode = 'ext.chat.v1';
    const descriptor = {
      mode,
      modeVersion: '1',
      title: '',
      description: '',
      determinismClass: '',
      participantModel: '',
      messageTypes: ['SessionStart', 'Say', 'Commitment'],
      terminalMessageTypes: ['Commitment'],
      schemaUris: {},
    };
    await world.services.registries.changeModes(world.principal('owner'), { kind: 'register', descriptor });
    const said = {
      ...envelope(id, 'a', 'Signal', {
        signalType: 'x',
        data: new Uint8Array(0),
        confidence: 0,
        correlationSessionId: '',
      }),
      messageType: 'Say',
      mode,
    };
    await say(world, { ...start(id, 'owner', { modeVersion: '1' }), mode }, said, {
      ...commit(id, 'owner', { modeVersion: '1', action: 'done' }),
      mode,
    });
  },
};

/** A session story in a world of its own. */
const about =
  (tell: Tell): Stories[string] =>
  async (name) => {
    const world = createWorld();
    const id = `history-${name}`.padEnd(22, '-');
    await tell(world, id);
    // What is due is recorded first.
    await world.state(id);
    const ref = sessionRef('default', id);
    return [{ name, ref, entries: await world.store.read(ref, 0, { entries: 1_000, bytes: 1e9 }) }];
  };

export const sessionStories: Stories = Object.fromEntries(
  Object.entries(told).map(([name, tell]) => [name, about(tell)]),
);
