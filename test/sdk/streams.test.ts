import {
  buildEnvelope,
  HandoffSession,
  type MacpClient,
  MODE_HANDOFF,
  newSessionId,
  serializeMessage,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

async function started(client: MacpClient) {
  const session = new HandoffSession(client);
  await session.start({ intent: 'x', participants: ['bob', 'carol'], ttlMs: 60_000 });
  await session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
  return session;
}
const context = (sessionId: string, handoffId: string) =>
  buildEnvelope({
    mode: MODE_HANDOFF,
    messageType: 'HandoffContext',
    sessionId,
    payload: serializeMessage('HandoffContext', { handoffId, contentType: '', context: new Uint8Array(3) }),
  });

describe('a stream', () => {
  const server = useServer();

  it('replays, follows, and brings one’s own messages back', async () => {
    const session = await started(server.as('alice'));
    const stream = session.openStream();
    stream.sendSubscribe(session.sessionId, 1);
    expect((await stream.read(2_000))?.messageType).toBe('HandoffOffer');
    const said = context(session.sessionId, 'h1');
    stream.send(said);
    expect((await stream.read(2_000))?.messageId).toBe(said.messageId);
    stream.close();
    expect(await stream.read(2_000)).toBeNull();
  });

  it('throws an inline error in its place, and goes on', async () => {
    const session = await started(server.as('alice'));
    const stream = session.openStream();
    stream.sendSubscribe(session.sessionId, 2);
    const wrong = context(session.sessionId, 'h9');
    stream.send(wrong);
    const error = await failure(stream.read(2_000));
    expect(error).toMatchObject({
      name: 'MacpAckError',
      code: 'INVALID_ENVELOPE',
      messageId: wrong.messageId,
    });
    stream.send(context(session.sessionId, 'h1'));
    expect((await stream.read(2_000))?.messageType).toBe('HandoffContext');
    stream.cancel();
  });

  it('hands inline errors to a callback where there is one', async () => {
    const session = await started(server.as('alice'));
    const stream = session.openStream();
    const codes: string[] = [];
    stream.onInlineError(({ code }) => codes.push(code));
    stream.sendSubscribe(session.sessionId, 2);
    stream.send(context(session.sessionId, 'h9'));
    stream.send(context(session.sessionId, 'h1'));
    for await (const { messageType } of stream.responses(AbortSignal.timeout(2_000))) {
      expect(messageType).toBe('HandoffContext');
      break;
    }
    expect(codes).toEqual(['INVALID_ENVELOPE']);
    stream.cancel();
    expect(() => stream.send(context(session.sessionId, 'h1'))).toThrow(/closed/);
  });

  it('waits no longer than it should', async () => {
    const session = await started(server.as('alice'));
    const stream = session.openStream();
    stream.sendSubscribe(session.sessionId, 2);
    expect(await failure(stream.read(50))).toMatchObject({ name: 'MacpTimeoutError' });
    const seen = [];
    for await (const envelope of stream.responses(AbortSignal.timeout(50))) seen.push(envelope);
    expect(seen).toEqual([]);
    stream.cancel();
  });

  it('ends with the status of what ended it', async () => {
    const stream = server.as('alice').openStream();
    stream.sendSubscribe(newSessionId());
    expect(await failure(stream.read(2_000))).toMatchObject({
      name: 'MacpUnknownSessionError',
      sessionId: expect.stringMatching(/./),
      code: 'NOT_FOUND',
    });
  });
});

describe('a subscription', () => {
  const server = useServer();

  it('goes on after every cut, without a gap and without a repetition', async () => {
    const alice = server.as('alice');
    const session = await started(alice);
    const proxy = await startProxy(server.address());
    const reader = server.as('bob', { address: proxy.address });
    const total = 60;
    const seen: string[] = [];
    const sent: string[] = [];
    const reading = (async () => {
      for await (const { sequence, envelope } of reader.subscribe(session.sessionId)) {
        seen.push(envelope.messageId);
        expect(sequence).toBe(seen.length);
        if (seen.length === total + 2) return;
      }
    })();
    for (let n = 0; n < total; n++) {
      const envelope = context(session.sessionId, 'h1');
      sent.push(envelope.messageId);
      await alice.send(envelope);
      if (n % 15 !== 7) continue;
      // Cut while it is connected, and say something before it is back.
      await expect.poll(() => seen.length).toBe(sent.length + 2);
      proxy.cut();
      setTimeout(() => proxy.mend(), 30);
    }
    await reading;
    expect(seen.slice(2)).toEqual(sent);
    expect(proxy.connections()).toBeGreaterThan(4);
    proxy.close();
  });

  it('reads the history up to now and ends', async () => {
    const alice = server.as('alice');
    const session = await started(alice);
    const types: string[] = [];
    for await (const { envelope } of alice.readHistory(session.sessionId)) types.push(envelope.messageType);
    expect(types).toEqual(['SessionStart', 'HandoffOffer']);
    for await (const item of alice.readHistory(session.sessionId, { afterSequence: 2 }))
      types.push(String(item));
    expect(types).toHaveLength(2);
  });

  it('throws what would only repeat itself', async () => {
    const session = await started(server.as('alice'));
    const first = (client: MacpClient, id: string) => failure(client.subscribe(id).next());
    expect(await first(server.as('alice'), newSessionId())).toMatchObject({ code: 'NOT_FOUND' });
    expect(await first(server.as('mallory'), session.sessionId)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('gives up after as many attempts as it was told', async () => {
    const proxy = await startProxy(server.address());
    proxy.cut();
    const client = server.as('alice', { address: proxy.address });
    const reconnect = { baseMs: 5, maxMs: 10, maxAttempts: 3 };
    const error = await failure(client.subscribe(newSessionId(), { reconnect }).next());
    expect(error).toMatchObject({ name: 'MacpTransportError', code: 'UNAVAILABLE' });
    proxy.close();
  });

  it('ends quietly when its signal fires, connected or not', async () => {
    const session = await started(server.as('alice'));
    const seen: number[] = [];
    for await (const { sequence } of session.follow({ signal: AbortSignal.timeout(150) }))
      seen.push(sequence);
    expect(seen).toEqual([1, 2]);
    const proxy = await startProxy(server.address());
    proxy.cut();
    const down = server.as('alice', { address: proxy.address });
    const signal = AbortSignal.timeout(100);
    for await (const item of down.subscribe(session.sessionId, { signal })) expect(item).toBeUndefined();
    proxy.close();
  });
});
