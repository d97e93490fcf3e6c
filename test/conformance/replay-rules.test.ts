/** Rules about the log itself: what a fold of it gives, what was decided on, and where it ends. */
import { randomUUID } from 'node:crypto';
import { type Envelope, MAX_ENTRIES_PER_STREAM, makeReceipt, type SessionState } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { statusOfRejection } from '../../packages/server/src/doors/grpc/errors.js';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { errorDetails } from '../../packages/server/src/services/macp/error-details.js';
import { accept, commit, context, decline, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import { DeciderWorld } from './decider-world.js';
import { verifies } from './verifies.js';

const IMPLICIT = { acceptance: { implicit_accept_timeout_ms: 1_000 } };
/** Rules are functions of a mode; what a state says is the rest. */
const said = (state: SessionState | undefined) => JSON.parse(JSON.stringify(state));

function worldWith(...messages: readonly Envelope[]) {
  const world = new DeciderWorld();
  const policy = { policyId: 'policy.test', mode: '*', description: '', schemaVersion: 1, rules: IMPLICIT };
  world.policies({ kind: 'register', policy }, 'admin');
  for (const message of messages)
    expect(world.send(message, message.sender), message.messageType).toMatchObject({ kind: 'accepted' });
  return world;
}

function streamOf(world: DeciderWorld, id: string) {
  const stream = world.session(id);
  if (!stream?.state) throw new Error('there is no such session');
  return { stream, state: stream.state };
}

describe('replay', () => {
  it(`${verifies('implicit:replay')}repeats the recorded answer and needs no clock`, () => {
    const id = randomUUID();
    const world = worldWith(start(id, 'owner', { policyVersion: 'policy.test' }), offer(id, 'h1', 'a'));
    world.now += 1_000;
    const { stream, state } = streamOf(world, id);
    expect(stream.entries.map(({ type }) => type)).toEqual(['SessionStart', 'HandoffOffer', 'HandoffAccept']);
    // Long before, and long after: whatever the time, the fold is the same.
    for (const now of [0, 9e12]) {
      world.now = now;
      expect(said(world.replay(stream))).toEqual(said(state));
    }
  });

  it(`${verifies('handoff:determinism:frozen-context')}gives the session with the context that was bound at its start`, () => {
    const id = randomUUID();
    const bound = {
      contextId: 'ticket-7',
      extensions: { runbook: codec.utf8('restart it') },
      roots: [{ uri: 'file:///srv', name: 'srv' }],
    };
    const world = worldWith(
      start(id, 'owner', bound),
      offer(id, 'h1', 'a'),
      context(id, 'h1'),
      accept(id, 'h1', 'a'),
    );
    const { stream, state } = streamOf(world, id);
    expect(said(world.replay(stream))).toEqual(said(state));
    expect(world.replay(stream)).toMatchObject({ contextId: 'ticket-7', extensionKeys: ['runbook'] });
    const [first] = stream.entries;
    expect(first && codec.decode('SessionStart', first.payload)).toMatchObject({ roots: bound.roots });
  });
});

describe('what was decided on', () => {
  const receiptOf = (id: string, ...messages: readonly Envelope[]) => {
    const { stream } = streamOf(worldWith(...messages), id);
    const made = makeReceipt(stream.entries, codec);
    if ('none' in made) throw new Error(made.none);
    return made.body;
  };

  it(`${verifies('handoff:context:late-not-input', 'decision:late-context:marked')}excludes late context, which is counted as late`, () => {
    const id = randomUUID();
    const begin = [start(id), offer(id, 'h1', 'a'), context(id, 'h1', 'in time')];
    const end = [accept(id, 'h1', 'a'), commit(id)];
    const late = context(id, 'h1', 'too late');
    const without = receiptOf(id, ...begin, ...end);
    const afterwards = receiptOf(id, ...begin, accept(id, 'h1', 'a'), late, commit(id));
    const intime = receiptOf(id, ...begin, late, ...end);
    expect(without.frozen).toMatchObject({ contexts: 1, late_contexts: 0 });
    expect(afterwards.frozen).toEqual({ ...without.frozen, late_contexts: 1 });
    expect(intime.frozen.digest).not.toBe(without.frozen.digest);
    expect(intime.frozen.contexts).toBe(2);
  });

  it('excludes what came after a decline in the same way', () => {
    const id = randomUUID();
    const no = commit(id, 'owner', { action: 'handoff.declined', outcomePositive: false });
    const body = receiptOf(
      id,
      start(id),
      offer(id, 'h1', 'a'),
      decline(id, 'h1', 'a'),
      context(id, 'h1'),
      no,
    );
    expect(body.frozen).toMatchObject({ contexts: 0, late_contexts: 1 });
  });
});

describe('a policy', () => {
  it(`${verifies('commit:10:policy', 'macp-2026:2:denials', 'macp-2026:2:details-trailer')}that cannot be evaluated denies, with its reasons`, () => {
    const id = randomUUID();
    const world = worldWith(start(id), offer(id, 'h1', 'a'), accept(id, 'h1', 'a'));
    const { stream, state } = streamOf(world, id);
    // As in the log of a newer version: registration here would refuse it.
    stream.state = { ...state, policy: { ...state.policy, schemaVersion: 9 } };
    const decision = world.send(commit(id), 'owner');
    expect(decision).toMatchObject({ kind: 'rejected', rejection: { code: 'POLICY_DENIED' } });
    if (decision.kind !== 'rejected') throw new Error('not refused');
    const message = expect.stringContaining('schema_version 9');
    const details = {
      reasons: [message],
      denials: [{ code: 'unsupported_schema_version', message }],
    };
    expect(JSON.parse(Buffer.from(errorDetails(decision.rejection, codec)).toString())).toEqual(details);
    const [trailer] = statusOfRejection(decision.rejection).metadata.get('macp-error-details-bin');
    expect(JSON.parse(String(trailer))).toEqual(details);
  });
});

describe('a full log', () => {
  it(`${verifies('decision:faults:entry-cap')}takes no more messages, but endings`, () => {
    const id = randomUUID();
    const at = (seq: number) => {
      const world = worldWith(start(id), offer(id, 'h1', 'a'), accept(id, 'h1', 'a'));
      const { stream, state } = streamOf(world, id);
      stream.state = { ...state, seq };
      return world;
    };
    const nearlyFull = MAX_ENTRIES_PER_STREAM - 100;
    expect(MAX_ENTRIES_PER_STREAM).toBe(50_000);
    expect(at(nearlyFull - 1).send(context(id, 'h1'), 'owner').kind).toBe('accepted');
    expect(at(nearlyFull).send(context(id, 'h1'), 'owner')).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'INVALID_ENVELOPE' },
    });
    expect(at(nearlyFull).send(commit(id), 'owner').kind).toBe('accepted');
    expect(at(nearlyFull).ask(id, { kind: 'control', control: 'cancel', reason: '' }, 'owner').kind).toBe(
      'accepted',
    );
    const world = at(nearlyFull);
    world.now += 60_001;
    expect(streamOf(world, id).state.status).toBe('EXPIRED');
  });
});

describe('a race', () => {
  it(`${verifies('start:15:race')}of starts for one id has exactly one winner`, async () => {
    const server = await TestServer.start({ flags: { dev: true } });
    const clients = Array.from({ length: 4 }, () => new GrpcClient(server.grpc));
    for (let round = 0; round < 20; round++) {
      const id = randomUUID();
      const starts = clients.map((client, index) =>
        client.send(start(id, `owner-${index}`, { participants: ['a', 'b'] })),
      );
      const acks = await Promise.all(starts);
      expect(acks.filter(({ ok }) => ok)).toHaveLength(1);
      expect(acks.filter(({ error }) => error?.code === 'SESSION_ALREADY_EXISTS')).toHaveLength(3);
    }
    for (const client of clients) client.close();
    await server.remove();
  });
});
