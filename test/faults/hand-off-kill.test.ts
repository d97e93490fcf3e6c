/** A server on SQLite is killed outright while it carries out a handOff. The same call again ends in exactly one handoff, whenever it was. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { handover } from '../kit/handover-command.js';
import { call, connectHttp, type Payload } from '../kit/mcp-clients.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const folder = temporaryFolder();
let server: ServerProcess | undefined;
afterAll(() => server?.stop('SIGKILL'));

const restarted = async () => {
  server = await startServerProcess({ dataDir: folder });
  return new URL('/mcp', server.http);
};

const sizes = () =>
  ['handover.db', 'handover.db-wal'].map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size,
  );

/** What is in the files has just become more: the commit is being written, or was. */
async function untilWritten(before: readonly unknown[], answered: Promise<unknown>): Promise<void> {
  let isOver = false;
  void answered.finally(() => {
    isOver = true;
  });
  while (!isOver && String(sizes()) === String(before)) await new Promise(setImmediate);
}

type Moment = (answered: Promise<unknown>, before: readonly unknown[]) => Promise<unknown>;
const after =
  (ms: number): Moment =>
  () =>
    sleep(ms);
const MOMENTS: readonly (readonly [string, Moment])[] = [
  ['as soon as it is sent', async () => {}],
  ...[5, 20].map((ms) => [`${ms} ms after it is sent`, after(ms)] as const),
  ['as soon as a file has grown', (answered, before) => untilWritten(before, answered)],
  [
    'a moment after a file has grown',
    (answered, before) => untilWritten(before, answered).then(() => sleep(1)),
  ],
  ['as soon as it is answered', (answered) => answered],
];
/** A megabyte: its commit takes some time. */
const attachments = [{ name: 'all.txt', content: 'x'.repeat(900_000) }];

it('assistants:H2 kill -9 during handOff: all of it or nothing, and the same key again is one handoff', {
  timeout: 240_000,
}, async () => {
  const seen: boolean[] = [];
  for (const [index, [when, moment]] of MOMENTS.entries()) {
    const to = `bob-${index}`;
    const args = { to, goal: `Goal ${index}`, next: ['Go on'], attachments, idempotencyKey: `key-${index}` };
    const alice = await connectHttp(await restarted(), 'alice');
    const before = sizes();
    const answered = call(alice, 'handOff', args).catch((thrown: unknown) => {
      expect(thrown).toBeInstanceOf(Error);
    });
    await moment(answered, before);
    await server?.stop('SIGKILL');
    await answered;

    const url = await restarted();
    const [again, bob] = [await connectHttp(url, 'alice'), await connectHttp(url, to)];
    const inbox = async (): Promise<Payload[]> =>
      (await call(bob, 'listHandoffs', { box: 'inbox' })).handoffs;
    const survived = (await inbox()).length;
    const owned = (await call(again, 'listSessions', { status: 'all', limit: 100 })).sessions.length;
    expect(owned, when).toBe(index + survived);
    const retried = await call(again, 'handOff', args);
    expect([when, retried.success, retried.replayed ?? false]).toEqual([when, true, survived === 1]);
    expect((await inbox()).map(({ handoffId }) => handoffId)).toEqual([retried.handoffId]);
    expect((await call(again, 'listSessions', { status: 'all', limit: 100 })).sessions).toHaveLength(
      index + 1,
    );
    const got = await call(bob, 'resume', { accept: true });
    expect(got).toMatchObject({
      yours: true,
      sessionKey: retried.sessionKey,
      attachments: [{ bytes: 900_000 }],
    });
    await server?.stop('SIGKILL');
    await Promise.all([alice, again, bob].map((client) => client.close().catch(() => {})));
    seen.push(survived === 1);
  }
  // Else the moments have shown one side only.
  expect(new Set(seen)).toEqual(new Set([true, false]));
  const verified = handover(['verify', folder]);
  expect([await verified.exited, verified.stderr]).toEqual([0, '']);
});
