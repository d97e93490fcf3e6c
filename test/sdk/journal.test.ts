/** The file in which a worker counts its attempts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileJournal, HandoffWorker, type OfferKey } from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { answerOf, offered, quickly } from './support/offers.js';
import { useServer } from './support/server.js';

const offer = (n: number): OfferKey => ({ sessionId: `session-${n}`, handoffId: 'h1' });
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);

/** A journal that was opened, and the path of its file. */
function opened(path = join(temporaryFolder(), 'journal')) {
  const journal = fileJournal(path);
  journal.open();
  return { path, journal };
}

describe('a journal in a file', () => {
  it('counts over restarts, forgets what is over, and is for its user alone', () => {
    const { path, journal } = opened();
    journal.begin(offer(1), 1);
    journal.begin(offer(1), 2);
    journal.begin(offer(2), 1);
    journal.begin(offer(3), 1);
    journal.end(offer(2));
    journal.end(offer(9));
    expect(linesOf(path)).toHaveLength(5);
    journal.close();
    const again = opened(path);
    expect([1, 2, 3].map((n) => again.journal.attempts(offer(n)))).toEqual([2, 0, 1]);
    expect(linesOf(path)).toHaveLength(2);
    again.journal.keepOnly((sessionId) => sessionId === 'session-1');
    expect(linesOf(path)).toEqual(['{"sessionId":"session-1","handoffId":"h1","attempt":2}']);
    again.journal.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(() => again.journal.begin(offer(1), 3)).toThrow('is not open');
  });

  it('leaves a last line out that a kill has torn, at any byte', () => {
    const { path, journal } = opened();
    journal.begin(offer(1), 1);
    journal.close();
    const whole = readFileSync(path, 'utf8');
    const line = '{"sessionId":"session-2","handoffId":"h1","attempt":1}\n';
    for (let bytes = 0; bytes <= line.length; bytes++) {
      writeFileSync(path, whole + line.slice(0, bytes));
      const again = opened(path);
      expect(again.journal.attempts(offer(1))).toBe(1);
      expect(again.journal.attempts(offer(2))).toBe(bytes === line.length ? 1 : 0);
      again.journal.begin(offer(3), 1);
      again.journal.close();
      const last = opened(path);
      expect(last.journal.attempts(offer(3))).toBe(1);
      last.journal.close();
    }
  });

  it('does not write over a file that is something else', () => {
    const path = join(temporaryFolder(), 'notes.txt');
    for (const text of ['dear diary\n', 'dear diary', '{"journal":"macp-worker/1"}\nwhat?\n']) {
      writeFileSync(path, text);
      expect(() => opened(path)).toThrow('is not a journal');
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(existsSync(`${path}.lock`)).toBe(false);
    }
    expect(() => fileJournal('')).toThrow(/path/);
  });

  it('is of one process, also when many open it at the same moment, with and without a lock of one that was killed', async () => {
    const folder = temporaryFolder();
    const [rounds, every] = [40, 50];
    const stale = JSON.stringify({ pid: process.pid, host: 'elsewhere', began: '1' });
    for (let n = 0; n < rounds; n += 2) writeFileSync(join(folder, `journal-${n}.lock`), stale);
    const program = `
      import { fileJournal } from 'macp-sdk-typescript';
      const [folder, rounds, every, begin] = process.argv.slice(1);
      const has = [];
      for (let n = 0; n < Number(rounds); n++) {
        while (Date.now() < Number(begin) + n * Number(every));
        try {
          fileJournal(folder + '/journal-' + n).open();
          has.push(n);
        } catch (error) {
          if (!String(error).includes('one worker at a time')) throw error;
        }
      }
      console.log(JSON.stringify(has));
      await new Promise((resolve) => process.stdin.on('end', resolve).resume());`;
    const args = [folder, rounds, every, Date.now() + 2_000].map(String);
    const openers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program, ...args], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const had = await Promise.all(
      openers.map(async ({ stdout }) => {
        const [said] = (await once(stdout, 'data')) as [Buffer];
        return JSON.parse(said.toString()) as readonly number[];
      }),
    );
    for (const opener of openers) opener.stdin.end();
    await Promise.all(openers.map((opener) => once(opener, 'exit')));
    expect(had.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, n) => n));
  });

  it('that cannot be opened says so', () => {
    const path = join(temporaryFolder(), 'no-such-folder/journal');
    const why = `the journal ${path} cannot be opened: ENOENT`;
    expect(() => opened(path)).toThrow(
      expect.objectContaining({ name: 'MacpSdkError', message: expect.stringContaining(why) }),
    );
  });

  it('stays small', () => {
    const { path, journal } = opened();
    for (let n = 0; n < 5_000; n++) {
      journal.begin(offer(n), 1);
      journal.end(offer(n));
    }
    expect(linesOf(path).length).toBeLessThan(1_100);
    journal.close();
  });

  it('goes on where there was no room for a while: half a line is followed by none', async () => {
    const { path, journal } = opened();
    journal.close();
    // The system lets the program write 4 KiB to a file, and takes half a line as it would on a disk that is full.
    const program = `
      import { fileJournal } from 'macp-sdk-typescript';
      const journal = fileJournal(process.argv[1]);
      const offer = (n) => ({ sessionId: 'session-' + n, handoffId: 'h1' });
      const refusals = [];
      journal.open();
      const begin = (n, attempt) => {
        try {
          journal.begin(offer(n), attempt);
        } catch (error) {
          refusals.push([n, journal.attempts(offer(n)), String(error)]);
        }
      };
      for (let n = 0; refusals.length < 2; n++) begin(n, 1);
      begin(0, 2);
      const begun = refusals[0][0];
      for (let n = 3; n < begun; n++) journal.end(offer(n));
      begin(1, 2);
      console.log(JSON.stringify(refusals));
      process.kill(process.pid, 'SIGKILL');`;
    const limited = [
      '-c',
      'ulimit -f 4; exec "$0" --input-type=module -e "$1" "$2"',
      process.execPath,
      program,
      path,
    ];
    const { stdout, stderr } = spawnSync('bash', limited, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const refusals = JSON.parse(stdout) as readonly [number, number, string][];
    const [first = 0] = refusals[0] ?? [];
    expect(first).toBeGreaterThan(20);
    expect(refusals.map(([n, attempts]) => [n, attempts])).toEqual([
      [first, 0],
      [first + 1, 0],
    ]);
    expect(refusals[0]?.[2]).toContain('no room for the journal');
    const again = opened(path);
    const attempts = [0, 1, 2, 3, first - 1, first, first + 1].map((n) => again.journal.attempts(offer(n)));
    expect(attempts).toEqual([2, 2, 1, 0, 0, 0, 0]);
    again.journal.close();
  });

  it('is refused to a second process, and free again when the first was killed', async () => {
    const path = join(temporaryFolder(), 'journal');
    const program = `
      import { fileJournal } from 'macp-sdk-typescript';
      fileJournal(process.argv[1]).open();
      console.log('open');
      setInterval(() => undefined, 1_000);`;
    const first = spawn(process.execPath, ['--input-type=module', '-e', program, path]);
    await once(first.stdout, 'data');
    expect(() => opened(path)).toThrow(`in use by process ${first.pid}: one worker at a time`);
    first.kill('SIGKILL');
    await once(first, 'exit');
    opened(path).journal.close();
    // A number that was given to another process since, and a lock that was not written to its end.
    for (const lock of [JSON.stringify({ pid: process.pid, host: 'elsewhere', began: '1' }), '{"pid":']) {
      writeFileSync(`${path}.lock`, lock);
      opened(path).journal.close();
    }
    const held = opened(path);
    expect(() => opened(path)).toThrow('one worker at a time');
    held.journal.close();
  });
});

describe('a worker with a journal', () => {
  const server = useServer();

  it('goes on counting where another process was', async () => {
    const path = join(temporaryFolder(), 'journal');
    const session = await offered(server.as('alice'));
    const before = opened(path);
    before.journal.begin({ sessionId: session.sessionId, handoffId: 'h1' }, 6);
    before.journal.begin(offer(1), 1);
    before.journal.close();
    appendFileSync(path, '{"torn":');
    const attempts: number[] = [];
    const client = server.as('bob');
    const worker = new HandoffWorker({
      client,
      context: quickly,
      journal: fileJournal(path),
      decide: ({ attempt }) => attempts.push(attempt) > 0,
    });
    const run = worker.run();
    await expect.poll(() => answerOf(session)).toBe('accepted');
    const second = new HandoffWorker({ client, journal: fileJournal(path), decide: () => true });
    await expect(second.run()).rejects.toThrow('one worker at a time');
    await worker.stop();
    await run;
    expect(attempts).toEqual([7]);
    const { journal } = opened(path);
    expect(linesOf(path)).toEqual([]);
    journal.close();
  });
});
