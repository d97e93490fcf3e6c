/** Nobody speaks for anybody else: every role, every claimed sender, every message, every way in. */
import { randomUUID } from 'node:crypto';
import type { Envelope } from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, commit, context, decline, envelope, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { isRefused } from '../kit/refused.js';
import { TestServer } from '../kit/test-server.js';
import { type WaysIn, waysInto } from './doors.js';

const PEOPLE = ['owner', 'target', 'other', 'outsider', 'observer'] as const;
type Person = (typeof PEOPLE)[number];
const NOTHING = { signalType: 's', data: new Uint8Array(0), confidence: 0, correlationSessionId: '' };
const PROGRESS = { progressToken: '', progress: 0, total: 0, message: '', targetMessageId: '' };

const MESSAGES: Readonly<Record<string, (id: string, sender: string) => Envelope>> = {
  SessionStart: (id, sender) => start(id, sender, { participants: ['owner', 'target', 'other'] }),
  HandoffOffer: (id, sender) => offer(id, 'h2', 'other', sender),
  HandoffContext: (id, sender) => context(id, 'h1', 'c', sender),
  HandoffAccept: (id, sender) => accept(id, 'h1', sender),
  HandoffDecline: (id, sender) => decline(id, 'h1', sender),
  Commitment: (id, sender) => commit(id, sender),
  Progress: (id, sender) => envelope(id, sender, 'Progress', PROGRESS),
  Signal: (_, sender) => envelope('', sender, 'Signal', NOTHING, { mode: '' }),
};

const DENIED = { HandoffOffer: 'FORBIDDEN', HandoffContext: 'FORBIDDEN', Commitment: 'FORBIDDEN' };
const NOT_TARGET = { HandoffAccept: 'FORBIDDEN', HandoffDecline: 'FORBIDDEN' };
const EXISTS = { SessionStart: 'SESSION_ALREADY_EXISTS' };
const STRANGER = { ...EXISTS, ...DENIED, ...NOT_TARGET, Progress: 'FORBIDDEN', Signal: 'ok' };

/** What each may do, for itself, while an offer of the owner to the target is open. */
const ALLOWED: Readonly<Record<Person, Readonly<Record<string, string>>>> = {
  owner: {
    ...EXISTS,
    ...NOT_TARGET,
    HandoffOffer: 'INVALID_ENVELOPE',
    HandoffContext: 'ok',
    Commitment: 'INVALID_ENVELOPE',
    Progress: 'ok',
    Signal: 'ok',
  },
  target: { ...EXISTS, ...DENIED, HandoffAccept: 'ok', HandoffDecline: 'ok', Progress: 'ok', Signal: 'ok' },
  other: { ...EXISTS, ...DENIED, ...NOT_TARGET, Progress: 'ok', Signal: 'ok' },
  outsider: STRANGER,
  observer: STRANGER,
};

describe('sender spoofing', () => {
  let server: TestServer;
  let client: GrpcClient;
  let ways: WaysIn;
  beforeAll(async () => {
    const tokens = PEOPLE.map((sender) => ({
      token: `t-${sender}`,
      sender,
      is_observer: sender === 'observer',
    }));
    server = await TestServer.start({
      env: { MACP_ALLOW_INSECURE: '1', MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens) },
    });
    client = new GrpcClient(server.grpc);
    ways = waysInto(server.grpc, server.http);
  });
  afterAll(async () => {
    client.close();
    ways.close();
    await server.remove();
  });
  const withOffer = async () => {
    const id = randomUUID();
    await client.send(start(id, 'owner', { participants: ['owner', 'target', 'other'] }), 't-owner');
    await client.send(offer(id, 'h1', 'target'), 't-owner');
    return id;
  };
  const senders = async (id: string) => {
    const history = await client.history(id, 't-owner');
    return isRefused(history) ? [] : history.map(({ messageType, sender }) => `${messageType} ${sender}`);
  };
  const cells = (['send', 'stream', 'http'] as const).flatMap((way) =>
    PEOPLE.map((person) => [way, person] as const),
  );

  /** A stream carries no ambient messages: it refuses them before it looks at the sender. */
  const ambientOnStream = (way: string, type: string) => way === 'stream' && type === 'Signal';

  it.each(cells)('by %s, %s cannot speak as anybody else', async (way, person) => {
    const id = await withOffer();
    const attempts = PEOPLE.filter((name) => name !== person).flatMap((claimed) =>
      Object.entries(MESSAGES).map(async ([type, message]) => {
        const expected = ambientOnStream(way, type) ? 'INVALID_ENVELOPE' : 'UNAUTHENTICATED';
        const said = await ways[way](message(id, claimed), `t-${person}`);
        expect(said, `${person} as ${claimed}: ${type}`).toBe(expected);
      }),
    );
    await Promise.all(attempts);
    expect(await senders(id)).toEqual(['SessionStart owner', 'HandoffOffer owner']);
  });

  it.each(cells)('by %s, %s may do what the role may, under its own name or none', async (way, person) => {
    const attempts = Object.entries(MESSAGES).flatMap(([type, message]) =>
      [person, ''].map(async (sender) => {
        const id = await withOffer();
        const expected = ambientOnStream(way, type) ? 'INVALID_ENVELOPE' : ALLOWED[person][type];
        const said = await ways[way](message(id, sender), `t-${person}`);
        expect(said, `${person} (${sender}): ${type}`).toBe(expected);
        const isRecorded = expected === 'ok' && type !== 'Signal' && type !== 'Progress';
        const recorded = isRecorded ? [`${type} ${person}`] : [];
        expect(await senders(id)).toEqual(['SessionStart owner', 'HandoffOffer owner', ...recorded]);
      }),
    );
    await Promise.all(attempts);
  });
});
