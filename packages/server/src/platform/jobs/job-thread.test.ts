import { afterEach, describe, expect, it } from 'vitest';
import { JobQueue } from './job-queue.js';
import { type JobAnswer, JobThread, type JobThreadOptions } from './job-thread.js';

const ENTRY = new URL('../../../../../test/kit/workers/bad-worker.mjs', import.meta.url);
const threads: JobThread[] = [];

function open(options: Partial<JobThreadOptions> = {}): JobThread {
  const limits = { heapBytes: 64 * 1_048_576, timeMs: 20_000, idleMs: 20_000 };
  const thread = new JobThread({ entry: ENTRY, name: 'test', ...limits, ...options });
  threads.push(thread);
  return thread;
}
const failureOf = (answer: JobAnswer) => ('failure' in answer ? answer.failure : answer);
const echo = { act: 'echo', value: 7 };

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

describe('a thread for jobs', () => {
  it('answers, and goes on after a job that threw', async () => {
    const thread = open();
    expect(await thread.run(echo, [])).toEqual({ value: 7 });
    expect(await thread.run({ act: 'throw' }, [])).toEqual({ failure: 'threw', cause: 'asked to' });
    expect(await thread.run(echo, [])).toEqual({ value: 7 });
  });

  it.each([
    ['exit', 'crashed'],
    ['crash', 'crashed'],
    ['eat', 'too much memory'],
  ])('that meets its end by %s is replaced', async (act, failure) => {
    const thread = open();
    expect(failureOf(await thread.run({ act }, []))).toBe(failure);
    expect(await thread.run(echo, [])).toEqual({ value: 7 });
  });

  it('that takes too long is ended and replaced', async () => {
    const thread = open({ timeMs: 1_500 });
    expect(failureOf(await thread.run({ act: 'spin' }, []))).toBe('too slow');
    expect(await open().run(echo, [])).toEqual({ value: 7 });
  });

  // Who waits does not work: as a thread does for which others leave no room.
  describe.runIf(process.platform === 'linux')('whose work is counted', () => {
    /** Started and known before its time is made short: how long a thread takes to start is not what is tested. */
    async function counted(patience: number): Promise<JobThread> {
      const options = {
        entry: ENTRY,
        name: 'test',
        heapBytes: 64 * 1_048_576,
        timeMs: 20_000,
        idleMs: 20_000,
      };
      const thread = new JobThread(Object.assign(options, { patience }));
      threads.push(thread);
      expect(await thread.run({ act: 'number', value: 1 }, [])).toEqual({ value: 1 });
      options.timeMs = 300;
      return thread;
    }

    it('may wait longer for its turn than it may work', async () => {
      const thread = await counted(200);
      expect(await thread.run({ act: 'wait', ms: 1_000, value: 2 }, [])).toEqual({ value: 2 });
    });

    it('may work no longer than that', async () => {
      const thread = await counted(200);
      expect(failureOf(await thread.run({ act: 'spin' }, []))).toBe('too slow');
    });

    it('is not waited for without end', async () => {
      const thread = await counted(2);
      expect(failureOf(await thread.run({ act: 'wait', ms: 3_600_000 }, []))).toBe('no turn');
    });
  });

  it('that is closed answers the job under way, and takes no other', async () => {
    const thread = open();
    const under = thread.run({ act: 'spin' }, []);
    await thread.close();
    expect(failureOf(await under)).toBe('closed');
    expect(failureOf(await thread.run(echo, []))).toBe('closed');
  });

  it('that was idle is started again', async () => {
    const thread = open({ idleMs: 1 });
    for (let n = 0; n < 2; n++) {
      expect(await thread.run(echo, [])).toEqual({ value: 7 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});

describe('a queue of jobs', () => {
  /** A thread that finishes jobs when it is told to. */
  function held() {
    const begun: object[] = [];
    const ends: (() => void)[] = [];
    const run = (job: object) => {
      begun.push(job);
      return new Promise<JobAnswer>((resolve) => ends.push(() => resolve({ value: job })));
    };
    const finish = async () => {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { run, begun, finish };
  }
  const job = (message: object) => ({ message, transfer: [] });

  it('gives callers turns', async () => {
    const thread = held();
    const queue = new JobQueue(thread, { inAll: 10, ofCaller: 10 });
    const order = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => ({ name }));
    for (const one of order) void queue.add(one.name.charAt(0), job(one));
    for (let n = 0; n < order.length; n++) await thread.finish();
    expect(thread.begun.map((one) => (one as { name: string }).name)).toEqual([
      'a1',
      'a2',
      'b1',
      'c1',
      'a3',
      'b2',
    ]);
    expect([queue.given, queue.waiting]).toEqual([6, 0]);
  });

  it('holds no more than it may, of one caller and in all', async () => {
    const queue = new JobQueue(held(), { inAll: 3, ofCaller: 2 });
    const taken = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(
      (caller) => queue.add(caller, job({})) !== undefined,
    );
    // The first is with the thread and waits no more.
    expect(taken).toEqual([true, true, true, false, true, false, false]);
    expect(queue.waiting).toBe(3);
    const server = new JobQueue(held(), { inAll: 0, ofCaller: 0, unlimited: 'server' });
    expect([server.add('a', job({})), server.add('server', job({}))]).toEqual([
      undefined,
      expect.any(Promise),
    ]);
  });
});
