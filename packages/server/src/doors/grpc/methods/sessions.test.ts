import { status } from '@grpc/grpc-js';
import { decodeAckResponse, encodeMessage, pb } from '@handover/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../../../../test/kit/refused.js';
import { newSession, offer, sessionStart } from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

let world: World;
let id: string;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  id = newSession();
  await world.client('alice').send(sessionStart(id));
});

describe('GetSession', () => {
  it('shows a session to initiator, participant and observer', async () => {
    await world.client('alice').send(offer(id));
    for (const agent of ['alice', 'bob', 'watcher']) {
      const { metadata } = await world.client(agent).call('getSession', { sessionId: id });
      expect(metadata).toMatchObject({
        sessionId: id,
        mode: 'macp.mode.handoff.v1',
        state: pb.SessionState.OPEN,
        initiator: 'alice',
        participants: ['alice', 'bob'],
        policyVersion: 'policy.default',
        startedAtUnixMs: BigInt(world.clock.now),
        expiresAtUnixMs: BigInt(world.clock.now + 60_000),
      });
      expect(metadata?.participantActivity).toMatchObject([{ participantId: 'alice', messageCount: 1 }]);
    }
  });

  it('refuses with the statuses of the protocol', async () => {
    const code = async (agent: string | undefined, sessionId: string) =>
      (await refusal(world.client(agent).call('getSession', { sessionId }))).code;
    expect(await code(undefined, id)).toBe(status.UNAUTHENTICATED);
    expect(await code('mallory', id)).toBe(status.PERMISSION_DENIED);
    expect(await code('alice', newSession())).toBe(status.NOT_FOUND);
    expect(await code('alien', id)).toBe(status.NOT_FOUND);
    const malformed = await refusal(world.client('alice').raw('getSession', Uint8Array.of(0x0a, 0x09)));
    expect(malformed.code).toBe(status.INVALID_ARGUMENT);
  });
});

describe('controls', () => {
  const control = async (
    agent: string,
    key: 'cancelSession' | 'suspendSession' | 'resumeSession',
    sessionId = id,
  ) => {
    const request = encodeMessage(pb.CancelSessionRequestSchema, { sessionId, reason: 'because' });
    return decodeAckResponse(await world.client(agent).raw(key, request));
  };

  it('suspends, resumes and cancels, and cancelling again changes nothing', async () => {
    expect(await control('alice', 'suspendSession')).toMatchObject({ ok: true, sessionState: 'SUSPENDED' });
    expect(await control('alice', 'resumeSession')).toMatchObject({ ok: true, sessionState: 'OPEN' });
    expect(await control('alice', 'cancelSession')).toMatchObject({
      ok: true,
      messageId: '',
      sessionState: 'CANCELLED',
    });
    expect(await control('alice', 'cancelSession')).toMatchObject({ ok: true, sessionState: 'CANCELLED' });
  });

  it('answers what the state does not allow with an Ack', async () => {
    const ack = await control('alice', 'resumeSession');
    expect(ack).toMatchObject({ ok: false, messageId: '', sessionState: 'UNSPECIFIED' });
    expect(ack?.error?.code).toBe('SESSION_NOT_OPEN');
  });

  it('refuses with the statuses of the protocol', async () => {
    for (const key of ['cancelSession', 'suspendSession', 'resumeSession'] as const) {
      const code = async (agent: string, sessionId: string) =>
        (await refusal(control(agent, key, sessionId))).code;
      expect(await code('nobody', id)).toBe(status.UNAUTHENTICATED);
      expect(await code('bob', id)).toBe(status.PERMISSION_DENIED);
      expect(await code('mallory', id)).toBe(status.PERMISSION_DENIED);
      expect(await code('alice', newSession())).toBe(status.NOT_FOUND);
    }
  });
});

describe('ListSessions', () => {
  it('pages through exactly the sessions that the caller may see', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) {
      ids.push(newSession());
      await world.client('carol').send(sessionStart(ids[n] ?? '', ['carol', 'bob']));
    }
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await world.client('carol').call('listSessions', { pageSize: 3, pageToken });
      expect(page.sessions.length).toBeLessThanOrEqual(3);
      seen.push(...page.sessions.map(({ sessionId }) => sessionId));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual([...ids].sort());
    expect((await world.client('mallory').call('listSessions', {})).sessions).toEqual([]);
    const observed = await world.client('watcher').call('listSessions', {});
    expect(observed.sessions.length).toBeGreaterThan(7);
    expect(observed.nextPageToken).toBe('');
  });

  it('refuses a negative size, a token that is none, and a stranger', async () => {
    const code = async (agent: string, fields: { pageSize?: number; pageToken?: string }) =>
      (await refusal(world.client(agent).call('listSessions', fields))).code;
    expect(await code('alice', { pageSize: -1 })).toBe(status.INVALID_ARGUMENT);
    for (const pageToken of ['x', 'v1:abc', '!!!!', Buffer.from('v2:abc').toString('base64url')])
      expect(await code('alice', { pageToken })).toBe(status.INVALID_ARGUMENT);
    expect(await code('nobody', {})).toBe(status.UNAUTHENTICATED);
  });
});
