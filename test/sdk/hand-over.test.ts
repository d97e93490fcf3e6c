/** Handing over in one call, waiting for an answer, and context as text and JSON. */
import {
  Auth,
  acceptWhen,
  contextJson,
  contextText,
  encodeContext,
  HandoffSession,
  HandoffWorker,
  MacpClient,
  MacpClosedError,
  type MacpStream,
  newSessionId,
  Participant,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

const START = { intent: 'x', participants: ['bob', 'carol'], ttlMs: 60_000 };
const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe('handing over in one call', () => {
  const server = useServer();

  it('starts, offers, sends the context, waits for the answer and commits it', async () => {
    const sessionId = newSessionId();
    const seen: unknown[] = [];
    const bob = new Participant({ participantId: 'bob', sessionId, client: server.as('bob') }).use(
      acceptWhen(({ contexts }) => seen.push(...contexts.map(contextJson)) > 0, {
        afterContext: true,
        reason: 'mine now',
      }),
    );
    const session = new HandoffSession(server.as('alice'), { sessionId });
    const context = { runbook: 'https://wiki/x', open: [1, 2] };
    const [handoff] = await Promise.all([session.handOver('bob', context, { scope: 'pager' }), bob.run()]);
    expect(handoff).toMatchObject({ disposition: 'accepted', acceptedBy: 'bob', answerReason: 'mine now' });
    expect(seen).toEqual([context]);
    expect(session.projection.commitment).toMatchObject({
      action: 'handoff.accepted',
      reason: 'bob accepted pager',
    });
    expect((await session.metadata()).state).toBe('RESOLVED');
  });

  it('of a declined target leaves the session to others; a repeated call adds nothing', async () => {
    const alice = server.as('alice');
    const session = new HandoffSession(alice);
    await session.start(START);
    const answering = async (target: string, verb: 'decline' | 'acceptHandoff') => {
      const other = new HandoffSession(server.as(target), { sessionId: session.sessionId });
      await expect.poll(async () => (await other.sync()).activeOffer()?.targetParticipant).toBe(target);
      await other[verb]({ handoffId: `to:${target}`, reason: `${target} says so` });
    };
    const [no] = await Promise.all([session.handOver('bob', 'all quiet'), answering('bob', 'decline')]);
    expect(no).toMatchObject({ disposition: 'declined', answerReason: 'bob says so' });
    expect(session.projection.isCommitted).toBe(false);
    const [yes] = await Promise.all([session.handOver('carol'), answering('carol', 'acceptHandoff')]);
    expect(yes.disposition).toBe('accepted');
    expect(session.projection.isCommitted).toBe(true);
    const { length } = session.projection.transcript;
    // As a process that was started again and knows the session's id only.
    const again = new HandoffSession(alice, { sessionId: session.sessionId });
    await again.sync();
    expect((await again.handOver('carol')).disposition).toBe('accepted');
    expect((await again.sync()).transcript).toHaveLength(length);
  });

  it('whose context is refused is offered to nobody', async () => {
    const session = new HandoffSession(server.as('alice'));
    const refused = await failure(session.handOver('bob', 'x'.repeat(2_000_000)));
    expect(refused).toMatchObject({ macpCode: 'PAYLOAD_TOO_LARGE' });
    expect((await session.metadata()).state).toBe('CANCELLED');
  });

  it('that was declined and committed before finds both when it is called again', async () => {
    const sessionId = newSessionId();
    const run = async () => {
      const session = new HandoffSession(server.as('alice'), { sessionId });
      const { disposition } = await session.handOver('bob', 'x', { scope: 'pager', timeoutMs: 30_000 });
      const { isCommitted, transcript } = session.projection;
      if (!isCommitted) await session.commit();
      return { disposition, isCommitted, length: transcript.length };
    };
    const first = run();
    const bob = new HandoffSession(server.as('bob'), { sessionId });
    await expect
      .poll(() =>
        bob.sync().then(
          (projection) => projection.activeOffer() !== undefined,
          () => false,
        ),
      )
      .toBe(true);
    await bob.decline({ handoffId: 'to:bob' });
    expect(await first).toMatchObject({ disposition: 'declined', isCommitted: false });
    // As a process that was started again and knows the session's id only.
    expect(await run()).toMatchObject({ disposition: 'declined', isCommitted: true });
    expect((await bob.sync()).transcript).toHaveLength((await run()).length);
  });

  it.each<[string, (session: HandoffSession) => Promise<unknown>]>([
    ['target', (session) => session.handOver(' ')],
    ['target', (session) => session.handOver('alice')],
    ['context', (session) => session.handOver('bob', (() => 1) as never)],
    ['context', (session) => session.handOver('bob', { share: Number.NaN })],
    ['context', (session) => session.handOver('bob', { count: 1n })],
    ['context', (session) => session.handOver('bob', '\ud800')],
    ['contentType', (session) => session.handOver('bob', 'x', { contentType: '' })],
    ['contentType', (session) => session.handOver('bob', undefined, { contentType: '' })],
    ['handoffId', (session) => session.handOver('bob', 'x', { handoffId: '' })],
    ['timeoutMs', (session) => session.handOver('bob', 'x', { timeoutMs: 0 })],
    ['timeoutMs', (session) => session.handOver('bob', 'x', { timeoutMs: -1 })],
    ['signal', (session) => session.handOver('bob', 'x', { signal: 'stop' as never })],
    ['ttlMs', (session) => session.handOver('bob', 'x', { ttlMs: 0 })],
    ['scope', (session) => session.handOver('bob', 'x', { scope: 7 as never })],
    ['commit', (session) => session.handOver('bob', 'x', { commit: 'no' as never })],
    ['handoffId', (session) => session.waitForAnswer('')],
    ['timeoutMs', (session) => session.waitForAnswer('h', { timeoutMs: -1 })],
  ])('fails before the network when the %s cannot be: %s', async (argument, act) => {
    const session = new HandoffSession(server.as('alice'));
    expect(await failure(act(session))).toMatchObject({ name: 'MacpSessionError', argument });
    expect(session.projection.transcript).toEqual([]);
    expect(await failure(session.metadata())).toMatchObject({ macpCode: 'SESSION_NOT_FOUND' });
  });

  it('asks nobody who does not take part in the session that there is', async () => {
    const session = new HandoffSession(server.as('alice'));
    await session.start(START);
    expect(await failure(session.handOver('dave'))).toMatchObject({ argument: 'target' });
    expect((await session.sync()).transcript).toHaveLength(1);
  });

  it('is over when its time is, whatever of it is under way', async () => {
    const proxy = await startProxy(server.address());
    const session = new HandoffSession(server.as('alice', { address: proxy.address }));
    await session.start(START);
    proxy.mute();
    const began = performance.now();
    const error = await failure(session.handOver('bob', 'x', { timeoutMs: 500 }));
    expect(error).toMatchObject({ name: 'MacpTimeoutError', sessionId: session.sessionId });
    expect(performance.now() - began).toBeLessThan(10_000);
    proxy.mend();
    // Whether the offer was heard is not known: the call is made again, and adds nothing twice.
    expect(await failure(session.handOver('bob', 'x', { timeoutMs: 500 }))).toMatchObject({
      name: 'MacpTimeoutError',
    });
    expect((await session.sync()).transcript.map(({ messageId }) => messageId)).toEqual([
      expect.any(String),
      'offer:to:bob',
      'context:to:bob',
    ]);
    proxy.close();
  });

  it('is given up where the caller says so', async () => {
    const session = new HandoffSession(server.as('alice'));
    const signal = AbortSignal.timeout(300);
    const givenUp = await failure(session.handOver('bob', 'x', { signal }));
    expect(givenUp).toMatchObject({ name: 'MacpTransportError', code: 'CANCELLED' });
    expect((givenUp as Error).message).toContain('given up');
    // The same where it had fired before.
    expect(await failure(session.handOver('bob', 'x', { signal }))).toMatchObject({ code: 'CANCELLED' });
    expect((await session.sync()).activeOffer()?.targetParticipant).toBe('bob');
  });
});

/** Counts what is watched, and remembers which sessions are asked about. */
class WatchingClient extends MacpClient {
  watches = 0;
  readonly asked: string[] = [];

  override watchSessions(...args: Parameters<MacpClient['watchSessions']>) {
    this.watches++;
    return super.watchSessions(...args);
  }
  override getSession(...args: Parameters<MacpClient['getSession']>) {
    this.asked.push(args[0]);
    return super.getSession(...args);
  }
}

describe('waiting for an answer', () => {
  const server = useServer();
  async function offered(ttlMs = 60_000) {
    const session = new HandoffSession(server.as('alice'));
    await session.start({ ...START, ttlMs });
    await session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    return session;
  }

  it('ends at the time-out, and can be taken up again', async () => {
    const session = await offered();
    expect(await failure(session.waitForAnswer('h1', { timeoutMs: 50 }))).toMatchObject({
      name: 'MacpTimeoutError',
      sessionId: session.sessionId,
    });
    const answer = session.waitForAnswer('h1');
    await new HandoffSession(server.as('bob'), { sessionId: session.sessionId }).acceptHandoff({
      handoffId: 'h1',
    });
    expect((await answer).disposition).toBe('accepted');
  });

  it('asks about its own session alone, however many there are', async () => {
    const client = new WatchingClient({ address: server.address(), auth: Auth.devAgent('alice') });
    const session = new HandoffSession(client, { sessionId: (await offered(1_500)).sessionId });
    expect(((await failure(session.waitForAnswer('h1'))) as Error).message).toContain(
      'the session is EXPIRED',
    );
    expect(client.watches).toBe(0);
    expect(new Set(client.asked)).toEqual(new Set([session.sessionId]));
    expect(client.asked.length).toBeLessThanOrEqual(3);
    client.close();
  });

  it('ends with the session: cancelled, expired, or given up by the caller', async () => {
    const cancelled = await offered();
    const [error] = await Promise.all([failure(cancelled.waitForAnswer('h1')), cancelled.cancel('over')]);
    expect((error as Error).message).toContain('the session is CANCELLED: there will be no answer to h1');
    const expired = await offered(700);
    expect(((await failure(expired.waitForAnswer('h1'))) as Error).message).toContain(
      'the session is EXPIRED',
    );
    const left = await offered();
    const signal = AbortSignal.timeout(50);
    expect(((await failure(left.waitForAnswer('h1', { signal }))) as Error).message).toContain('given up');
  });
});

describe('context', () => {
  it('is text, JSON or bytes, and says which', () => {
    const text = encodeContext('grüße');
    expect(text.contentType).toBe('text/plain; charset=utf-8');
    expect(contextText(text)).toBe('grüße');
    expect(contextJson(text)).toBeUndefined();
    const json = encodeContext({ a: [1, null] });
    expect(json.contentType).toBe('application/json');
    expect(contextJson(json)).toEqual({ a: [1, null] });
    expect(encodeContext(new Uint8Array([255])).contentType).toBe('application/octet-stream');
    expect(contextText({ context: new Uint8Array([255]) })).toBeUndefined();
    expect(encodeContext('# x', 'text/markdown').contentType).toBe('text/markdown');
  });
});

describe('a block', () => {
  const server = useServer();

  it('that began with `await using` ends client, stream and worker with it', async () => {
    let outside: { client: MacpClient; stream: MacpStream } | undefined;
    let told = 0;
    let isOver = false;
    const session = new HandoffSession(server.as('alice'));
    await session.start({ ...START, participants: ['dora'] });
    {
      await using client = server.as('dora');
      await using stream = client.openStream();
      await using worker = new HandoffWorker({
        client,
        context: { firstMs: 0 },
        decide: () => true,
        onAnswered: () => void told++,
      });
      void worker.run().then(() => {
        isOver = true;
      });
      outside = { client, stream };
      await session.offer({ handoffId: 'h1', targetParticipant: 'dora' });
      await expect.poll(() => told).toBe(1);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(true);
    expect(() => outside.stream.sendSubscribe(newSessionId())).toThrow(MacpClosedError);
    expect(await failure(outside.client.listModes())).toBeInstanceOf(MacpClosedError);
    expect((await session.sync()).acceptedOffer()?.acceptedBy).toBe('dora');
  });

  it('of a worker lets the decision that runs end, and begins none', async () => {
    const session = new HandoffSession(server.as('alice'));
    await session.start({ ...START, participants: ['eve'] });
    await session.offer({ handoffId: 'h1', targetParticipant: 'eve' });
    const decided: string[] = [];
    let free = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const worker = new HandoffWorker({
      client: server.as('eve'),
      context: { firstMs: 0 },
      decide: async ({ sessionId }) => {
        decided.push(sessionId);
        await held;
        return true;
      },
    });
    const run = worker.run();
    await expect.poll(() => decided).toEqual([session.sessionId]);
    const disposed = worker[Symbol.asyncDispose]();
    const late = new HandoffSession(server.as('alice'));
    await late.start({ ...START, participants: ['eve'] });
    await late.offer({ handoffId: 'h1', targetParticipant: 'eve' });
    free();
    await disposed;
    await run;
    expect((await session.sync()).acceptedOffer()?.acceptedBy).toBe('eve');
    expect((await late.sync()).acceptedOffer()).toBeUndefined();
    expect(decided).toEqual([session.sessionId]);
  });

  it('closes what it opened', async () => {
    const client = server.as('alice');
    const stream = client.openStream();
    await stream[Symbol.asyncDispose]();
    expect(() => stream.sendSubscribe(newSessionId())).toThrow(MacpClosedError);
    await client[Symbol.asyncDispose]();
    expect(await failure(client.listModes())).toBeInstanceOf(MacpClosedError);
  });
});
