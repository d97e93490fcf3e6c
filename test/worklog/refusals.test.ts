/** Bad input: the exact code, what a model can act on, and nothing written. */
import { RequestType } from '@handover/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { rateFlaw } from '../../packages/server/src/services/rate-flaw.js';
import { envelopeOf } from '../kit/envelopes.js';
import { code, ok } from '../kit/outcomes.js';
import { admin, agent, alice, bob, mallory } from '../kit/principals.js';
import { createWorld, type World } from './world.js';

let world: World;

beforeEach(async () => {
  world = createWorld();
  await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
});

const add = (more: object = {}) =>
  world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'message', content: 'x', ...more });
const request = (more: object = {}) =>
  world.handoffs.requestHandoff(alice, {
    ...{ sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.FullHandoff },
    ...more,
  });
const fieldsOf = async (outcome: Promise<unknown>) => {
  const refused = (await outcome) as {
    rejection?: { code: string; details?: { issues?: { field: string }[] } };
  };
  expect(refused.rejection?.code).toBe('VALIDATION_ERROR');
  return refused.rejection?.details?.issues?.map(({ field }) => field);
};

describe('arguments', () => {
  it('keep to the size that is set, to the byte', async () => {
    expect(await code(add({ content: 'é'.repeat(524_288) }))).toBe('ok');
    expect(await fieldsOf(add({ content: `${'é'.repeat(524_288)}x` }))).toEqual(['content']);
  });

  it('keep what was written as it was written', async () => {
    const metadata = { text: 'é😀\u0000\n', number: 0.1, big: 1e21, list: [null, true, {}], __proto: 'x' };
    const content = 'line\r\n\ttab \u0007 😀';
    const { entry } = await ok(add({ content, metadata }));
    expect(entry).toMatchObject({ contentLength: content.length, contentBytes: Buffer.byteLength(content) });
    const { entries } = await ok(world.handoffs.readContext(alice, { sessionKey: 'k', afterSequence: 0 }));
    expect(entries).toMatchObject([{ content, metadata, contextType: 'message', author: 'alice' }]);
  });
});

describe('sessions', () => {
  it('belong to whoever registers them, under their own name', async () => {
    const forged = { sessionKey: 'k2', agentFrom: 'bob' };
    expect(await code(world.handoffs.registerSession(alice, forged))).toBe('FORBIDDEN');
    expect(await code(world.handoffs.registerSession(admin('root'), forged))).toBe('FORBIDDEN');
    expect(await code(world.handoffs.getSession(bob, 'k2'))).toBe('SESSION_NOT_FOUND');
  });

  it('tell an owner which session has the key, and a stranger nothing but that it is taken', async () => {
    const { id } = await ok(world.handoffs.getSession(alice, 'k'));
    expect(await world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' })).toEqual({
      rejection: {
        code: 'CONFLICT',
        message: 'Session already exists',
        details: {
          sessionKey: 'k',
          existingSession: {
            id,
            status: 'active',
            agentFrom: 'alice',
            createdAt: '2027-01-15T08:00:00.000Z',
          },
          hint: expect.stringMatching(/^It is yours and open: go on with updateContext/),
        },
      },
    });
    expect(await world.handoffs.registerSession(mallory, { sessionKey: 'k', agentFrom: 'mallory' })).toEqual({
      rejection: {
        code: 'CONFLICT',
        message: 'Session already exists',
        details: { sessionKey: 'k', suggestion: expect.stringMatching(/^work-\d{8}-\w{4}$/) },
      },
    });
  });

  it('look unknown to strangers, in every answer (H1)', async () => {
    const asks: ((key: string) => Promise<unknown>)[] = [
      (sessionKey) =>
        world.handoffs.updateContext(mallory, { sessionKey, contextType: 'message', content: 'x' }),
      (sessionKey) =>
        world.handoffs.requestHandoff(mallory, {
          sessionKey,
          targetAgent: 'bob',
          requestType: RequestType.FullHandoff,
        }),
      (sessionKey) => world.handoffs.getSession(mallory, sessionKey),
      (sessionKey) => world.handoffs.readContext(mallory, { sessionKey, afterSequence: 0 }),
      (sessionKey) => world.handoffs.summarize(mallory, sessionKey),
    ];
    for (const ask of asks) {
      const unknown = JSON.stringify(await ask('unknown')).replace('unknown', 'k');
      expect(await ask('k')).toEqual(JSON.parse(unknown));
    }
  });

  it('of another tenant do not exist', async () => {
    const alien = agent('alice', { tenant: 'elsewhere' });
    expect(await code(world.handoffs.getSession(alien, 'k'))).toBe('SESSION_NOT_FOUND');
    expect(await code(world.handoffs.registerSession(alien, { sessionKey: 'k', agentFrom: 'alice' }))).toBe(
      'ok',
    );
    const { handoffId } = await ok(request());
    expect(await code(world.handoffs.getHandoff(agent('bob', { tenant: 'elsewhere' }), handoffId))).toBe(
      'HANDOFF_NOT_FOUND',
    );
  });
});

describe('handoffs', () => {
  it('go to somebody else', async () => {
    expect(await code(request({ targetAgent: 'alice' }))).toBe('VALIDATION_ERROR');
  });

  it('need what MACP needs: the right to start, to use the mode, and room for one more', async () => {
    const as = (more: object) =>
      code(
        world.handoffs.requestHandoff(agent('alice', more), {
          ...{ sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.Collaboration },
        }),
      );
    expect(await as({ canStartSessions: false })).toBe('FORBIDDEN');
    expect(await as({ allowedModes: new Set(['other']) })).toBe('FORBIDDEN');
    expect(await as({ maxOpenSessions: 1 })).toBe('ok');
    expect(await as({ maxOpenSessions: 1 })).toBe('RATE_LIMITED');
  });

  it('leave nothing behind when they cannot be prepared', async () => {
    await ok(add());
    const small = createWorld(world.store, { MACP_MAX_PAYLOAD_BYTES: '1024' });
    const requestData = { instructions: 'x'.repeat(2_000) };
    const args = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.FullHandoff, requestData };
    expect(await code(small.handoffs.requestHandoff(alice, args))).toBe('HANDOFF_FAILED');
    expect((await ok(small.handoffs.listHandoffs(bob, { box: 'inbox' }))).handoffs).toEqual([]);
    const position = await world.store.position();
    expect(await code(request())).toBe('ok');
    expect(await world.store.behind(position)).toBe(4);
  });
});

describe('rates', () => {
  it('are one per principal for all doors, and say when to come back', async () => {
    const slow = createWorld(undefined, {
      MACP_MESSAGE_LIMIT_PER_MINUTE: '2',
      MACP_SESSION_START_LIMIT_PER_MINUTE: '1',
    });
    await ok(slow.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
    // The door of MCP counts each of its requests like this.
    for (let count = 0; count < 2; count++) expect(rateFlaw(slow.deps, alice)).toBeUndefined();
    expect(rateFlaw(slow.deps, alice)).toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterMs: expect.any(Number) },
    });
    const args = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.Collaboration };
    await ok(slow.handoffs.requestHandoff(alice, args));
    expect(await code(slow.handoffs.requestHandoff(alice, args))).toBe('RATE_LIMITED');
    const empty = envelopeOf('unknown-session--------', '', 'HandoffOffer', new Uint8Array(0));
    const ack = await slow.services.send.sendAs(alice, empty);
    expect(ack).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  });
});
