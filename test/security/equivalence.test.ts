/** One accept path: the same conversation through every way in has the same outcome, message by message. */
import { randomUUID } from 'node:crypto';
import type { Envelope } from '@handover/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, commit, context, decline, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { isRefused } from '../kit/refused.js';
import { TestServer } from '../kit/test-server.js';
import { type WaysIn, waysInto } from './doors.js';

const WAYS = ['send', 'stream', 'http'] as const;
const handoffId = fc.constantFrom('h1', 'h2', '');
const person = fc.constantFrom('owner', 'a', 'b', 'mallory');

interface Said {
  readonly build: (sessionId: string) => Envelope;
  /** Sends an earlier message of the conversation again, as it was or changed. */
  readonly repeats?: 'same' | 'changed';
}

const said = (build: Said['build']): Said => ({ build });
const about = fc.record({ h: handoffId, to: person, by: person, positive: fc.boolean() });
const message: fc.Arbitrary<Said> = fc.oneof(
  about.map(({ h, to, by }) => said((id) => offer(id, h, to, by))),
  about.map(({ h, by }) => said((id) => context(id, h, 'c', by))),
  about.map(({ h, by }) => said((id) => accept(id, h, by))),
  about.map(({ h, by }) => said((id) => decline(id, h, by))),
  about.map(({ by, positive }) =>
    said((id) =>
      commit(id, by, { outcomePositive: positive, action: positive ? 'x.accepted' : 'x.declined' }),
    ),
  ),
  about.map(({ by }) => said((id) => ({ ...commit(id, by), messageType: 'Withdraw' }))),
  about.map(({ by }) => said((id) => ({ ...offer(id, 'h1', 'a', by), mode: 'ext.x.v1' }))),
  about.map(({ by }) => said((id) => ({ ...offer(id, 'h1', 'a', by), messageId: 'runtime:x' }))),
  about.map(({ by }) => said((id) => start(id, by))),
  about.map(({ positive }) => ({
    ...said((id) => offer(id, 'h1', 'a')),
    repeats: positive ? ('same' as const) : ('changed' as const),
  })),
);

/** The conversation in one session: ids by place, so that they are the same in all. */
function conversation(sessionId: string, trace: readonly Said[]): readonly Envelope[] {
  const messages: Envelope[] = [];
  for (const [place, { build, repeats }] of trace.entries()) {
    const built = build(sessionId);
    const messageId = built.messageId.startsWith('runtime:') ? built.messageId : `m${place}`;
    const earlier = repeats && messages[Math.floor(place / 2)];
    if (earlier) messages.push(repeats === 'same' ? earlier : { ...earlier, payload: built.payload });
    else messages.push({ ...built, messageId });
  }
  return messages;
}

describe('surface equivalence', () => {
  let server: TestServer;
  let client: GrpcClient;
  let ways: WaysIn;
  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
    client = new GrpcClient(server.grpc);
    ways = waysInto(server.grpc, server.http);
  });
  afterAll(async () => {
    client.close();
    ways.close();
    await server.remove();
  });

  const run = async (way: (typeof WAYS)[number], trace: readonly Said[]) => {
    const sessionId = randomUUID();
    const outcomes = [await ways[way]({ ...start(sessionId), messageId: 'start' }, 'owner')];
    for (const one of conversation(sessionId, trace)) outcomes.push(await ways[way](one, one.sender));
    const history = await client.history(sessionId, 'owner');
    const metadata = await client.ask('getSession', { sessionId }, 'owner');
    if (isRefused(history) || isRefused(metadata)) throw new Error('the session is not there');
    const { participantActivity = [], state = 0 } = metadata.metadata ?? {};
    return {
      outcomes,
      state,
      activity: participantActivity.map(({ participantId, messageCount }) => [participantId, messageCount]),
      history: history.map(({ sessionId: _, payload, ...rest }) => ({
        ...rest,
        payload: Buffer.from(payload).toString('hex'),
      })),
    };
  };

  it('holds for random conversations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 14 }), async (trace) => {
        const [bySend, byStream, byHttp] = await Promise.all(WAYS.map((way) => run(way, trace)));
        expect(byStream).toEqual(bySend);
        expect(byHttp).toEqual(bySend);
      }),
      { numRuns: 40 },
    );
  });
});
