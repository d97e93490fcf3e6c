/** One process that serves all offers to an agent. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type AnsweredOffer,
  Auth,
  buildHandoffPolicy,
  configureLogging,
  type Decision,
  HandoffSession,
  HandoffWorker,
  MacpClient,
  type MacpSessionError,
  MacpTransportError,
  type WorkerFailure,
  type WorkerJournal,
  type WorkerOffer,
} from 'macp-sdk-typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { CountingClient } from './support/counting-client.js';
import { answerOf, contextsIn, offered, quickly, sendText, useWorkers } from './support/offers.js';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const counters: CountingClient[] = [];
function counting(server: { address(): string }, agent: string, address = server.address()): CountingClient {
  const client = new CountingClient({ address, auth: Auth.devAgent(agent), defaultDeadlineMs: 5_000 });
  counters.push(client);
  return client;
}
afterAll(() => {
  for (const client of counters) client.close();
});

function collectLog() {
  const lines: string[] = [];
  configureLogging({ level: 'info', sink: (level, message) => lines.push(`${level} ${message}`) });
  return {
    stop() {
      configureLogging({ level: 'warn', sink: (level, message) => void console.error(level, message) });
      return lines;
    },
  };
}

describe('a worker', () => {
  const server = useServer();
  const work = useWorkers();

  it('serves what was open before it started and what comes, and leaves the others to others', async () => {
    const alice = server.as('alice');
    const old = await offered(alice, ['all quiet'], { to: 'bob1', context: Buffer.from('frozen') });
    const toCarol = new HandoffSession(alice);
    await toCarol.start({ intent: 'x', participants: ['bob1', 'carol'], ttlMs: 60_000 });
    await toCarol.offer({ handoffId: 'h1', targetParticipant: 'carol' });
    const seen: WorkerOffer[] = [];
    const told: AnsweredOffer[] = [];
    const worker = work({
      client: server.as('bob1'),
      decide: (offer) => {
        seen.push(offer);
        return offer.sessionId === old.sessionId || { accept: false, reason: 'not mine' };
      },
      onAnswered: (answer) => void told.push(answer),
    });
    await expect.poll(() => answerOf(old)).toBe('accepted');
    const fresh = await offered(alice, [], { to: 'bob1' });
    await expect.poll(() => answerOf(fresh)).toBe('declined');
    expect(fresh.projection.getHandoff('h1')?.answerReason).toBe('not mine');
    expect(await answerOf(toCarol)).toBeUndefined();
    expect(seen[0]).toMatchObject({
      sessionId: old.sessionId,
      handoffId: 'h1',
      owner: 'alice',
      scope: 'pager',
      reason: 'end of shift',
      attempt: 1,
      waited: 'context',
    });
    expect(seen[0]?.contexts.map((context) => context.text())).toEqual(['all quiet']);
    expect(Buffer.from(seen[0]?.frozenContext ?? []).toString()).toBe('frozen');
    expect((seen[0]?.expiresAtUnixMs ?? 0) - Date.now()).toBeGreaterThan(500_000);
    expect(seen[1]).toMatchObject({ sessionId: fresh.sessionId, waited: 'stopped', contexts: [] });
    await expect.poll(() => told.length).toBe(2);
    expect(told[0]).toMatchObject({ accept: true, seenContexts: 1, unseen: 0, attempt: 1, duplicate: false });
    expect(worker.stats()).toMatchObject({ decisions: 2, accepted: 1, declined: 1, waiting: 0, deciding: 0 });
  });

  it('asks nobody about what has ended, and does not read it', async () => {
    const alice = server.as('alice');
    const ended = async () => {
      const session = await offered(alice, ['old'], { to: 'bob2' });
      await session.cancel('over');
      return session.sessionId;
    };
    const past: string[] = [];
    for (let n = 0; n < 15; n++) past.push(...(await Promise.all(Array.from({ length: 20 }, ended))));
    const client = counting(server, 'bob2');
    const asked: string[] = [];
    const worker = work({ client, decide: ({ sessionId }) => asked.push(sessionId) > 0 });
    const open = await offered(alice, [], { to: 'bob2' });
    await expect.poll(() => answerOf(open)).toBe('accepted');
    await later(300);
    expect(asked).toEqual([open.sessionId]);
    expect(past).toHaveLength(300);
    expect(client.read.filter((sessionId) => past.includes(sessionId))).toEqual([]);
    expect(worker.stats()).toMatchObject({ decisions: 1, waiting: 0 });
  });

  it('decides with the context that was sent before its answer, or says how much of it was not seen', async () => {
    const alice = server.as('alice');
    const told = new Map<string, AnsweredOffer>();
    work({
      client: server.as('bob3'),
      context: {},
      concurrency: 16,
      decide: () => true,
      onAnswered: (answer) => void told.set(answer.offer.sessionId, answer),
    });
    const made: HandoffSession[] = [];
    for (let n = 0; n < 20; n++)
      made.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, () => offered(alice, ['first', 'second'], { to: 'bob3' })),
        )),
      );
    await expect.poll(() => told.size, { timeout: 45_000 }).toBe(200);
    let uninformed = 0;
    for (const { sessionId } of made) {
      // As the server has it: what came before the answer, and what came late.
      const { inTime, late } = await contextsIn(alice, sessionId);
      const { offer, seenContexts, unseen } = told.get(sessionId) ?? expect.fail('it was not answered');
      const seen = offer.contexts.map((context) => context.text());
      expect(seen).toEqual(inTime.slice(0, seen.length));
      expect({ seenContexts, unseen }).toEqual({
        seenContexts: seen.length,
        unseen: inTime.length - seen.length,
      });
      if (unseen > 0 || late.length > 0) uninformed++;
    }
    // On a machine that has much else to do, the second one may come after a quiet moment.
    expect(uninformed).toBeLessThanOrEqual(10);
  });

  it('does not wait longer than a policy that answers for the silent', async () => {
    const alice = server.as('alice');
    const policy = buildHandoffPolicy('policy.sdk.worker', '', {
      acceptance: { implicitDeclineTimeoutMs: 1_500 },
    });
    await alice.registerPolicy(policy);
    work({ client: server.as('bob4'), context: { firstMs: 20_000 }, decide: () => true });
    const session = await offered(alice, [], { to: 'bob4', policyVersion: policy.policyId });
    await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(session.projection.getHandoff('h1')?.implicit).toBe(false);
  });

  it('decides again, in the same attempt, when context comes while it decides', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob5' });
    const seen: (readonly [number, number])[] = [];
    const told: AnsweredOffer[] = [];
    work({
      client: server.as('bob5'),
      decide: async ({ attempt, contexts }) => {
        seen.push([attempt, contexts.length]);
        if (contexts.length === 0) await sendText(session, 'and one thing more');
        return contexts.length > 0;
      },
      onAnswered: (answer) => void told.push(answer),
    });
    await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(seen).toEqual([
      [1, 0],
      [1, 1],
    ]);
    await expect.poll(() => told).toMatchObject([{ seenContexts: 1, unseen: 0 }]);
  });

  it('answers an owner who does not stop sending, and says how much was not seen', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob6' });
    const told: AnsweredOffer[] = [];
    work({
      client: server.as('bob6'),
      decide: async () => {
        await sendText(session, 'one more');
        return true;
      },
      onAnswered: (answer) => void told.push(answer),
    });
    await expect.poll(() => told).toMatchObject([{ seenContexts: 2, unseen: 1, attempt: 1 }]);
    expect(await answerOf(session)).toBe('accepted');
  });

  it('leaves an offer that it is told to leave, and asks again when there is more context', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob7' });
    const seen: number[] = [];
    work({
      client: server.as('bob7'),
      decide: ({ contexts }) => {
        seen.push(contexts.length);
        return contexts.length > 1 ? true : undefined;
      },
    });
    await expect.poll(() => seen).toEqual([0]);
    await sendText(session, 'a');
    await expect.poll(() => seen).toEqual([0, 1]);
    await later(200);
    await sendText(session, 'b');
    await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(seen).toEqual([0, 1, 2]);
  });

  it('tries a decision that fails again, and counts', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob8' });
    const failures: WorkerFailure[] = [];
    const attempts: number[] = [];
    work({
      client: server.as('bob8'),
      retry: { baseMs: 20, maxMs: 100 },
      decide: ({ attempt }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error('the model is busy');
        return attempt === 3 ? ('yes' as unknown as Decision) : true;
      },
      onError: (failure) => failures.push(failure),
    });
    await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(failures.map(({ attempt, error }) => `${attempt} ${(error as Error).message}`)).toEqual([
      '1 the model is busy',
      '2 the model is busy',
      '3 decide must answer true, false, { accept, reason } or undefined',
    ]);
    expect(failures[0]).toMatchObject({ sessionId: session.sessionId, handoffId: 'h1' });
    expect(failures.every(({ retryInMs = -1 }) => retryInMs >= 15 && retryInMs <= 100)).toBe(true);
  });

  it('goes on when a listener fails, at once or later', async () => {
    const log = collectLog();
    const sessions = [
      await offered(server.as('alice'), [], { to: 'bob8b' }),
      await offered(server.as('alice'), [], { to: 'bob8b' }),
    ];
    let heard = 0;
    const worker = work({
      client: server.as('bob8b'),
      retry: { baseMs: 5, maxMs: 10 },
      decide: ({ attempt }) => {
        if (attempt < 3) throw new Error('the model is busy');
        return true;
      },
      onError() {
        heard++;
        if (heard % 2 === 0) throw new Error('at once');
        return Promise.reject(new Error('later'));
      },
      onAnswered: () => Promise.reject(new Error('too')),
    });
    for (const session of sessions) await expect.poll(() => answerOf(session)).toBe('accepted');
    await expect.poll(() => worker.stats()).toMatchObject({ deciding: 0, accepted: 2 });
    expect(heard).toBe(4);
    const said = log.stop();
    const words = [
      'onError failed: Error: later',
      'onError failed: Error: at once',
      'onAnswered failed: Error: too',
    ];
    for (const word of words) expect(said.filter((line) => line.includes(word))).toHaveLength(2);
  });

  it('waits longer each time that an offer fails before its decision begins', async () => {
    await offered(server.as('alice'), [], { to: 'bob8c' });
    const failures: WorkerFailure[] = [];
    const journal: WorkerJournal = {
      ...{ open() {}, end() {}, keepOnly() {}, close() {} },
      attempts: () => 0,
      begin() {
        throw new Error('the disk is full');
      },
    };
    work({
      client: server.as('bob8c'),
      retry: { baseMs: 20, maxMs: 100 },
      journal,
      decide: () => true,
      onError: (failure) => void failures.push(failure),
    });
    await expect.poll(() => failures.length).toBeGreaterThan(3);
    expect(
      failures.slice(0, 4).map(({ attempt, error }) => `${attempt} ${(error as Error).message}`),
    ).toEqual(Array.from({ length: 4 }, () => '0 the disk is full'));
    const most = [20, 40, 80, 100];
    for (const [index, { retryInMs = 0 }] of failures.slice(0, 4).entries()) {
      expect(retryInMs).toBeLessThanOrEqual(most[index] ?? 0);
      expect(retryInMs).toBeGreaterThanOrEqual((most[index] ?? 0) * 0.7);
    }
  });

  it('leaves an offer to others after as many attempts as it was told', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob9' });
    const failures: WorkerFailure[] = [];
    work({
      client: server.as('bob9'),
      retry: { baseMs: 5, maxAttempts: 2 },
      decide: () => Promise.reject(new Error('never')),
      onError: (failure) => failures.push(failure),
    });
    await expect.poll(() => failures.map(({ retryInMs }) => retryInMs === undefined)).toEqual([false, true]);
    await later(200);
    expect(failures).toHaveLength(2);
    expect(await answerOf(session)).toBeUndefined();
    await new HandoffSession(server.as('bob9'), { sessionId: session.sessionId }).decline({
      handoffId: 'h1',
    });
  });

  it.each([
    ['cancelled', (session: HandoffSession) => session.cancel()],
    [
      'answered otherwise',
      ({ sessionId }: HandoffSession) =>
        new HandoffSession(server.as('bob10'), { sessionId }).decline({ handoffId: 'h1' }),
    ],
    ['expired', () => later(1)],
  ] as const)('says nothing to an offer that is %s while it decides', async (how, end) => {
    const session = await offered(server.as('alice'), [], {
      to: 'bob10',
      ttlMs: how === 'expired' ? 700 : 60_000,
    });
    const told: unknown[] = [];
    let ended = false;
    const worker = work({
      client: server.as('bob10'),
      decide: async ({ signal, sessionId }) => {
        if (sessionId !== session.sessionId) return undefined;
        await end(session);
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = true;
        return true;
      },
      onAnswered: (answer) => void told.push(answer),
      onError: (failure) => void told.push(failure),
    });
    await expect.poll(() => ended).toBe(true);
    await expect.poll(() => worker.stats().deciding).toBe(0);
    expect(await answerOf(session)).not.toBe('accepted');
    expect(told).toEqual([]);
  });

  it('and another of the same agent: both may decide, one answer counts, the other is quiet', async () => {
    const lines = collectLog();
    const alice = server.as('alice');
    const told: AnsweredOffer[] = [];
    const failures: unknown[] = [];
    for (const accept of [true, false])
      work({
        client: server.as('bob11'),
        concurrency: 8,
        decide: async () => {
          await later(Math.random() * 20);
          return { accept, reason: String(accept) };
        },
        onAnswered: (answer) => void told.push(answer),
        onError: (failure) => void failures.push(failure),
      });
    const sessions = await Promise.all(Array.from({ length: 40 }, () => offered(alice, [], { to: 'bob11' })));
    for (const session of sessions) await expect.poll(() => answerOf(session)).toBeDefined();
    const answers = sessions.flatMap(({ projection: { transcript } }) =>
      transcript.filter(({ messageType }) => /Accept|Decline/.test(messageType)),
    );
    expect(answers).toHaveLength(40);
    await expect.poll(() => told.length).toBe(40);
    expect(new Set(told.map(({ accept }) => accept))).toEqual(new Set([true, false]));
    expect(failures).toEqual([]);
    expect(lines.stop()).toEqual([]);
  });

  it('decides on so many at a time, the rest in order', async () => {
    const alice = server.as('alice');
    const sessions: HandoffSession[] = [];
    for (let n = 0; n < 12; n++) sessions.push(await offered(alice, [], { to: 'bob12' }));
    let now = 0;
    let most = 0;
    const order: string[] = [];
    work({
      client: server.as('bob12'),
      concurrency: 3,
      decide: async ({ sessionId }) => {
        order.push(sessionId);
        most = Math.max(most, ++now);
        await later(30);
        now--;
        return true;
      },
    });
    for (const session of sessions) await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(most).toBe(3);
    const mine = order.filter((id) => sessions.some(({ sessionId }) => sessionId === id));
    const first = sessions.slice(0, 6).map(({ sessionId }) => sessionId);
    expect(first.every((id) => mine.indexOf(id) < 9)).toBe(true);
  });

  it('waits for a suspended session', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob13' });
    await session.suspend();
    const seen: number[] = [];
    const client = counting(server, 'bob13');
    work({ client, decide: ({ attempt }) => seen.push(attempt) > 0 });
    await later(300);
    expect(seen).toEqual([]);
    // It is followed, not asked again and again.
    expect(client.read.length).toBeLessThan(5);
    await session.resume();
    await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(seen).toEqual([1]);
  });

  it('goes on after a lost connection, and answers once when an acknowledgement was lost', async () => {
    const proxy = await startProxy(server.address());
    const alice = server.as('alice');
    const client = counting(server, 'bob14', proxy.address);
    const decided: string[] = [];
    const told: AnsweredOffer[] = [];
    let lose = true;
    work({
      client,
      decide: ({ sessionId }) => {
        decided.push(sessionId);
        return true;
      },
      onAnswered: (answer) => void told.push(answer),
    });
    const before = await offered(alice, [], { to: 'bob14' });
    await expect.poll(() => answerOf(before)).toBe('accepted');
    const idle = new HandoffSession(alice);
    await idle.start({ intent: 'x', participants: ['bob14'], ttlMs: 60_000 });
    await expect.poll(() => client.read.includes(idle.sessionId)).toBe(true);
    proxy.cut();
    const during = await offered(alice, [], { to: 'bob14' });
    const asked = () => client.read.length + client.lists;
    const soFar = asked();
    await later(1_000);
    expect(asked() - soFar).toBeLessThan(20);
    proxy.mend();
    await expect.poll(() => answerOf(during)).toBe('accepted');
    await expect.poll(() => told.length).toBe(2);

    const send = client.send.bind(client);
    client.send = async (...args) => {
      if (!lose) return send(...args);
      lose = false;
      await send(...args);
      throw new MacpTransportError('UNAVAILABLE: the acknowledgement is lost', 'UNAVAILABLE');
    };
    const lost = await offered(alice, [], { to: 'bob14' });
    await expect.poll(() => told.length).toBe(3);
    expect(told[2]).toMatchObject({ accept: true, duplicate: true });
    expect(await answerOf(lost)).toBe('accepted');
    expect(decided).toEqual([before.sessionId, during.sessionId, lost.sessionId]);
    proxy.close();
  });

  it('lets what runs end when it is stopped, and begins nothing new', async () => {
    const alice = server.as('alice');
    const [first, second] = [
      await offered(alice, [], { to: 'bob15' }),
      await offered(alice, [], { to: 'bob15' }),
    ];
    const begun: string[] = [];
    const worker = new HandoffWorker({
      client: server.as('bob15'),
      context: quickly,
      concurrency: 1,
      decide: async ({ sessionId }) => {
        begun.push(sessionId);
        await later(200);
        return true;
      },
    });
    const stop = new AbortController();
    const run = worker.run({ signal: stop.signal });
    await expect.poll(() => begun.length).toBe(1);
    stop.abort();
    await run;
    expect(begun).toHaveLength(1);
    const [answered, left] = begun[0] === first.sessionId ? [first, second] : [second, first];
    expect(await answerOf(answered)).toBe('accepted');
    expect(await answerOf(left)).toBeUndefined();
    await expect(worker.run()).rejects.toThrow('runs once');
    await left.cancel();
  });

  it('does not wait for a decision that does not end', async () => {
    const session = await offered(server.as('alice'), [], { to: 'bob16' });
    let signal: AbortSignal | undefined;
    const worker = new HandoffWorker({
      client: server.as('bob16'),
      context: quickly,
      drainMs: 100,
      decide: (offer) => {
        signal = offer.signal;
        return new Promise(() => undefined);
      },
    });
    const run = worker.run();
    await expect.poll(() => signal).toBeDefined();
    const before = performance.now();
    await worker.stop();
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(signal?.aborted).toBe(true);
    await run;
    expect(await answerOf(session)).toBeUndefined();
    await session.cancel();
  });

  it('ends with the refusal when the runtime does not let it in', async () => {
    const client = new MacpClient({ address: server.address() });
    const worker = new HandoffWorker({ client, agent: 'bob', decide: () => true });
    await expect(worker.run()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    client.close();
  });

  it('checks its options', () => {
    const client = server.as('bob18');
    const decide = () => true;
    const flawOf = (options: object) => {
      try {
        new HandoffWorker({ client, decide, ...options });
      } catch (error) {
        return (error as MacpSessionError).argument;
      }
      return undefined;
    };
    expect(flawOf({})).toBeUndefined();
    expect(flawOf({ client: new MacpClient({ address: server.address() }) })).toBe('agent');
    expect(flawOf({ decide: true })).toBe('decide');
    expect(flawOf({ concurrency: 0 })).toBe('concurrency');
    expect(flawOf({ context: { firstMs: -1 } })).toBe('context.firstMs');
    expect(flawOf({ context: { quietMs: Number.NaN } })).toBe('context.quietMs');
    expect(flawOf({ retry: { maxAttempts: 0 } })).toBe('retry.maxAttempts');
    expect(flawOf({ drainMs: 0.5 })).toBe('drainMs');
    expect(flawOf({ streams: -1 })).toBe('streams');
  });

  it('says nothing, and the process can end', async () => {
    const session = await offered(server.as('alice'), ['x'], { to: 'bob19' });
    const program = `
      import { Auth, HandoffWorker, MacpClient } from 'macp-sdk-typescript';
      const client = new MacpClient({ address: process.env.HANDOVER_ADDRESS, auth: Auth.devAgent('bob19') });
      const worker = new HandoffWorker({ client, decide: () => true, onAnswered: () => void worker.stop() });
      await worker.run();
      client.close();
      console.log('over');`;
    const env = { ...process.env, HANDOVER_ADDRESS: server.address(), MACP_LOG_LEVEL: 'info' };
    const args = ['--input-type=module', '-e', program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, timeout: 30_000 });
    expect([stdout, stderr]).toEqual(['over\n', '']);
    expect(await answerOf(session)).toBe('accepted');
  });
});

describe('a worker with many sessions', () => {
  // As few listeners as leave no stream to most sessions.
  const server = useServer({ env: { HANDOVER_LISTENERS_PER_PRINCIPAL: '12' } });
  const work = useWorkers();

  it('finds every offer, although the runtime allows it only a few streams', async () => {
    const alice = server.as('alice');
    const sessions = Array.from({ length: 40 }, () => new HandoffSession(alice));
    for (const session of sessions)
      await session.start({ intent: 'x', participants: ['bob20'], ttlMs: 600_000 });
    const worker = work({ client: server.as('bob20'), streams: 30, decide: () => true });
    await expect.poll(() => worker.stats().sessions).toBe(40);
    for (let n = 0; n < 20; n++) sessions.push(new HandoffSession(alice));
    for (const session of sessions.slice(40))
      await session.start({ intent: 'x', participants: ['bob20'], ttlMs: 600_000 });
    await later(500);
    for (const session of sessions) await session.offer({ handoffId: 'h1', targetParticipant: 'bob20' });
    for (const session of sessions) await expect.poll(() => answerOf(session)).toBe('accepted');
    expect(worker.stats()).toMatchObject({ decisions: 60, failures: 0 });
  });
});
