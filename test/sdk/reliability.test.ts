/** Deadlines, waits that the server asks for, and many streams at once, against a real server. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  HandoffSession,
  MacpAckError,
  type MacpClient,
  MacpClosedError,
  MacpTooLargeError,
  MacpTransportError,
  MacpUnknownSessionError,
  newSessionId,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { startBareRuntime } from './support/bare-runtime.js';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

const START = { intent: 'x', participants: ['bob', 'carol'], ttlMs: 600_000 };
const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe('many streams', () => {
  // As few on one connection as other runtimes allow.
  const server = useServer({
    env: { MACP_MAX_CONCURRENT_STREAMS: '64', HANDOVER_LISTENERS_PER_PRINCIPAL: '4000' },
  });

  it('2,000 of one process, and calls go on', async () => {
    const client = server.as('alice');
    const session = new HandoffSession(client);
    await session.start(START);
    const streams = Array.from({ length: 2_000 }, () => client.openStream());
    for (const stream of streams) stream.sendSubscribe(session.sessionId);
    const first = await Promise.all(streams.map((stream) => stream.read(60_000)));
    expect(first.every((envelope) => envelope?.messageType === 'SessionStart')).toBe(true);
    await session.offer({ handoffId: 'h1', targetParticipant: 'bob', deadlineMs: 20_000 });
    const last = await Promise.all(streams.map((stream) => stream.read(60_000)));
    expect(last.every((envelope) => envelope?.messageType === 'HandoffOffer')).toBe(true);
    for (const stream of streams) stream.cancel();
    expect((await session.metadata()).state).toBe('OPEN');
  }, 180_000);

  it('gives up the connections of streams that are over', async () => {
    const proxy = await startProxy(server.address());
    const client = server.as('alice', { address: proxy.address });
    const session = new HandoffSession(client);
    await session.start(START);
    for (const _ of [1, 2, 3]) {
      const streams = Array.from({ length: 120 }, () => client.openStream());
      for (const stream of streams) stream.sendSubscribe(session.sessionId);
      await Promise.all(streams.map((stream) => stream.read(60_000)));
      for (const stream of streams) stream.cancel();
      // One for calls, and one that stays for the next stream.
      await expect.poll(() => proxy.open()).toBe(2);
    }
    proxy.close();
  });
});

describe('a further connection', () => {
  const open = (client: MacpClient, count: number) =>
    Array.from({ length: count }, () => {
      const stream = client.openStream();
      stream.sendSubscribe(newSessionId());
      return stream;
    });

  it('says whose it is before its streams begin, once', async () => {
    const runtime = await startBareRuntime({ streamsStay: true });
    open(runtime.client, 130);
    await expect.poll(() => runtime.open()).toBe(130);
    const asked = [...runtime.byConnection.values()].map((names) => [names[0], names.length]);
    expect(asked.sort((a, b) => Number(b[1]) - Number(a[1]))).toEqual([
      ['initialize', 51],
      ['streamSession', 50],
      ['initialize', 31],
    ]);
    expect(runtime.asked.filter((name) => name === 'initialize')).toHaveLength(2);
    runtime.stop();
  });

  it('forgets a stream that is given up before it began, and ends with its client', async () => {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    const runtime = await startBareRuntime({ streamsStay: true, answersAfter: promise });
    const streams = open(runtime.client, 53);
    await expect.poll(() => runtime.asked.length).toBe(51);
    for (const stream of streams.slice(51)) stream.cancel();
    resolve();
    await expect.poll(() => runtime.open()).toBe(51);
    for (const stream of streams) stream.cancel();
    await expect.poll(() => runtime.open()).toBe(0);
    const reading = open(runtime.client, 51).map((stream) => stream.read(30_000));
    await expect.poll(() => runtime.open()).toBe(51);
    runtime.client.close();
    await Promise.all(reading.map((read) => read.catch(() => undefined)));
    runtime.stop();
  });
});

describe('a deadline', () => {
  const server = useServer();

  it('holds over all attempts: a server that is silent is given up in time', async () => {
    const proxy = await startProxy(server.address());
    const session = new HandoffSession(server.as('alice', { address: proxy.address }));
    await session.start(START);
    proxy.mute();
    const error = await failure(
      session.offer({ handoffId: 'h1', targetParticipant: 'bob', deadlineMs: 600 }),
    );
    expect(error).toMatchObject({ name: 'MacpTimeoutError', code: 'DEADLINE_EXCEEDED' });
    expect((error as Error).message).toContain('no answer within 600 ms; attempts: 1;');
    expect(error).toMatchObject({ sessionId: session.sessionId, messageId: expect.stringMatching(/./) });
    expect(await failure(session.sync({ deadlineMs: 300 }))).toMatchObject({
      name: 'MacpTimeoutError',
      sessionId: session.sessionId,
    });
    proxy.close();
  });

  it('holds over the question that comes before the call', async () => {
    const proxy = await startProxy(server.address());
    proxy.mute();
    const id = newSessionId();
    const policy = { policyId: 'p', mode: '*', description: '', rules: '{}', schemaVersion: 1 };
    const client = server.as('alice', { address: proxy.address });
    const began = performance.now();
    const patient = failure(client.capabilities({ deadlineMs: 60_000 }));
    const errors = await Promise.all([
      failure(client.getDecisionReceipt(id, { deadlineMs: 500 })),
      failure(client.getReceiptKeys({ deadlineMs: 500 })),
      failure(client.whatIfReplay(id, policy, { deadlineMs: 500 })),
      failure(client.listSessions({ deadlineMs: 500 })),
      failure(client.getReceiptKeys({ signal: AbortSignal.timeout(500) })),
    ]);
    // The client's own deadline would be 30 s.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(errors.map((error) => (error as Error).name)).toEqual([
      ...Array.from({ length: 4 }, () => 'MacpTimeoutError'),
      'MacpTransportError',
    ]);
    // What these gave up, another still waits for; and nothing of it is kept.
    proxy.cut();
    expect(await patient).toMatchObject({ code: 'UNAVAILABLE' });
    proxy.mend();
    await expect
      .poll(
        async () =>
          (await client.capabilities({ deadlineMs: 1_000 }).catch(() => undefined))?.decisionReceipt,
      )
      .toMatchObject({ getDecisionReceipt: true });
    proxy.close();
  });

  it('must be above 0', async () => {
    const session = new HandoffSession(server.as('alice'));
    await expect(session.start({ ...START, deadlineMs: 0 })).rejects.toMatchObject({
      argument: 'deadlineMs',
    });
  });
});

describe('what a refusal carries', () => {
  const server = useServer({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '3', MACP_MAX_PAYLOAD_BYTES: '2048' } });

  it('the wait of a rate limit; it is not begun where the deadline does not leave it', async () => {
    const session = new HandoffSession(server.as('alice'));
    await session.start(START);
    await session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    const context = () => session.sendContext({ handoffId: 'h1', deadlineMs: 5_000 });
    await context();
    await context();
    const error = await failure(context());
    expect(error).toBeInstanceOf(MacpAckError);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      macpCode: 'RATE_LIMITED',
      sessionId: session.sessionId,
    });
    const { retryAfterMs = 0, advice } = error as MacpAckError;
    expect(retryAfterMs).toBeGreaterThan(5_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(advice).toContain('retryAfterMs');
  });

  it(`${verifies('macp-2026:19:errors')}the code of the protocol, also as a status, with the class for it`, async () => {
    const client = server.as('carol');
    const sessionId = newSessionId();
    const asStatus = await failure(client.getSession(sessionId));
    expect(asStatus).toBeInstanceOf(MacpTransportError);
    expect(asStatus).toBeInstanceOf(MacpUnknownSessionError);
    const name = 'MacpUnknownSessionError';
    expect(asStatus).toMatchObject({ name, code: 'NOT_FOUND', macpCode: 'SESSION_NOT_FOUND', sessionId });
    const inAnswer = await failure(new HandoffSession(client, { sessionId }).sendContext({ handoffId: 'h' }));
    expect(inAnswer).toBeInstanceOf(MacpAckError);
    expect(inAnswer).toBeInstanceOf(MacpUnknownSessionError);
    expect(inAnswer).not.toBeInstanceOf(MacpTooLargeError);
    expect(inAnswer).toMatchObject({ name, sessionId });
    const session = new HandoffSession(client);
    const tooLarge = await failure(session.start({ ...START, context: Buffer.alloc(4_000) }));
    expect(tooLarge).toBeInstanceOf(MacpTooLargeError);
    expect(new Error('x')).not.toBeInstanceOf(MacpTooLargeError);
  });

  it('a closed client is a class of its own', async () => {
    const client = server.as('carol');
    client.close();
    expect(await failure(client.listModes())).toBeInstanceOf(MacpClosedError);
    expect(() => client.openStream()).toThrow(MacpClosedError);
  });
});

describe('leaving a watch', () => {
  const server = useServer();

  it('logs nothing, and the process can end', async () => {
    const program = `
      import { Auth, HandoffSession, MacpClient, SessionLifecycleWatcher, SignalWatcher } from 'macp-sdk-typescript';
      const client = new MacpClient({ address: process.env.HANDOVER_ADDRESS, auth: Auth.devAgent('alice') });
      const session = new HandoffSession(client);
      await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });
      for await (const _ of session.follow()) break;
      for await (const _ of client.watchSessions()) break;
      await new SessionLifecycleWatcher(client).nextChange();
      for await (const _ of new SignalWatcher(client).signals(AbortSignal.timeout(100)));
      const stream = session.openStream();
      stream.sendSubscribe(session.sessionId);
      await stream.read();
      stream.cancel();
      client.close();
      console.log('over');`;
    const env = { ...process.env, HANDOVER_ADDRESS: server.address(), MACP_LOG_LEVEL: 'debug' };
    const args = ['--input-type=module', '-e', program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, timeout: 30_000 });
    expect([stdout, stderr]).toEqual(['over\n', '']);
  });
});
