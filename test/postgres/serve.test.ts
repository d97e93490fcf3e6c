/** `handover serve` with its log in PostgreSQL, as a process. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accept, commit, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { HandoverProcess } from '../kit/handover-process.js';
import { freshSchema } from '../kit/postgres/fresh.js';
import { startPostgres } from '../kit/postgres/server.js';
import { isRefused } from '../kit/refused.js';
import { startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const withLog = (url: string, folder: string) => ({ dataDir: folder, env: { HANDOVER_DATABASE_URL: url } });

async function run(args: readonly string[], url: string, more: Readonly<Record<string, string>> = {}) {
  const command = new HandoverProcess(args, { env: { HANDOVER_DATABASE_URL: url, ...more } });
  return { code: await command.exited, stdout: command.stdout, stderr: command.stderr };
}

describe('serve on PostgreSQL', () => {
  it('keeps everything that it acknowledged, also when it is killed', async () => {
    const [url, folder, id] = [await freshSchema(), temporaryFolder(), randomUUID()];
    const first = await startServerProcess(withLog(url, folder));
    expect(first.readyLine).toContain(' store=postgres ');
    const client = new GrpcClient(first.grpc);
    const accepted = [(await client.send(start(id))).messageId];
    const answers = Array.from({ length: 40 }, (_, n) =>
      client
        .send({ ...offer(id, `h${n}`, 'a'), messageId: `m${n}` })
        .then((ack) => {
          if (ack.ok) accepted.push(ack.messageId);
          if (n === 20) first.child.kill('SIGKILL');
        })
        .catch(() => undefined),
    );
    await Promise.all(answers);
    await first.stop('SIGKILL');
    client.close();

    const second = await startServerProcess(withLog(url, folder));
    const again = new GrpcClient(second.grpc);
    const history = await again.history(id, 'owner');
    const stored = isRefused(history) ? [] : history.map(({ messageId }) => messageId);
    expect(accepted.length).toBeGreaterThan(1);
    expect(stored).toEqual(expect.arrayContaining(accepted));
    expect(new Set(stored).size).toBe(stored.length);
    expect((await again.send(start(id))).ok, 'the session is not made again').toBe(false);
    again.close();
    expect(await second.stop()).toBe(0);
    expect(existsSync(join(folder, 'handover.db'))).toBe(false);
  });

  it('says what is wrong in one sentence, without the password, and waits for nothing', async () => {
    const url = 'postgresql://ann:verysecret@127.0.0.1:1/handover';
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await run(['serve', '--dev', '--data-dir', folder], url);
    expect([code, stdout]).not.toEqual([0, '']);
    expect(stderr).toContain(
      'no PostgreSQL answers at 127.0.0.1:1; start it, or correct HANDOVER_DATABASE_URL',
    );
    expect(stderr).not.toContain('verysecret');
    const wrong = await run(['serve', '--dev', '--data-dir', folder], 'mysql://ann:verysecret@host/x');
    expect(wrong.stderr).toContain('HANDOVER_DATABASE_URL');
    expect(wrong.stderr).toContain('must look like postgresql://');
    expect(wrong.stderr).not.toContain('verysecret');
  });

  it('refuses a second server on the same folder', async () => {
    const [url, folder] = [await freshSchema(), temporaryFolder()];
    const first = await startServerProcess(withLog(url, folder));
    const second = await run(
      ['serve', '--dev', '--bind', '127.0.0.1:0', '--http-port', '0', '--data-dir', folder],
      url,
    );
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain('another server uses this data folder');
    await first.stop();
  });

  it('stays up while the database is away: it stores nothing, says so, and goes on', async () => {
    const server = await startPostgres();
    try {
      const [folder, id] = [temporaryFolder(), randomUUID()];
      const node = await startServerProcess(withLog(server.url(), folder));
      const client = new GrpcClient(node.grpc);
      expect((await client.send(start(id))).ok).toBe(true);
      await server.kill();
      const refused = await client.send({ ...offer(id, 'h1', 'a'), messageId: 'm1' }).then(
        (ack) => ack.ok,
        () => false,
      );
      expect(refused).toBe(false);
      expect((await fetch(`${node.http}/ready`)).status).toBe(503);
      await server.start();
      expect((await client.send({ ...offer(id, 'h1', 'a'), messageId: 'm1' })).ok).toBe(true);
      expect((await fetch(`${node.http}/ready`)).status).toBe(200);
      client.close();
      expect(await node.stop()).toBe(0);
    } finally {
      await server.stop();
    }
  });
});

describe('commands beside a server on PostgreSQL', () => {
  it('export reads the database, and what it wrote verifies; verify of a folder says where the log is', async () => {
    const [url, folder, id] = [await freshSchema(), temporaryFolder(), randomUUID()];
    const node = await startServerProcess(withLog(url, folder));
    const client = new GrpcClient(node.grpc);
    await client.send(start(id));
    await client.send(offer(id, 'h1', 'a'));
    client.close();
    const out = join(folder, 'session.json');
    const exported = await run(['export', id, '--out', out], url);
    expect([exported.code, exported.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(readFileSync(out, 'utf8')).toContain(id);
    expect((await run(['verify', out], url)).code).toBe(0);
    const verified = await run(['verify'], url);
    expect(verified.code).not.toBe(0);
    expect(verified.stderr).toContain('this log is in PostgreSQL (HANDOVER_DATABASE_URL)');
    const absent = await run(['export', 'no-such-session'], url);
    expect(absent.stderr).toContain('the database of HANDOVER_DATABASE_URL');
    expect(await node.stop()).toBe(0);
    const empty = await run(['export', id], await freshSchema());
    expect(empty.stderr).toContain('holds no log of Handover');
  });

  it('receipt gives one text for ever, whether the server made it or the command', async () => {
    const [url, folder] = [await freshSchema(), temporaryFolder()];
    const node = await startServerProcess(withLog(url, folder));
    const client = new GrpcClient(node.grpc);
    const ids = [randomUUID(), randomUUID()];
    for (const id of ids) {
      await client.send(start(id));
      await client.send(offer(id, 'h1', 'a'));
      await client.send(accept(id, 'h1', 'a'));
      expect((await client.send(commit(id))).ok).toBe(true);
    }
    client.close();
    const receipt = (id = '') => run(['receipt', id, '--format', 'macp'], url, { HANDOVER_DATA_DIR: folder });
    const byServer = await receipt(ids[0]);
    expect([byServer.code, byServer.stderr]).toEqual([0, '']);
    expect(await node.stop()).toBe(0);
    expect((await receipt(ids[0])).stdout).toBe(byServer.stdout);
    const byCommand = await receipt(ids[1]);
    expect([byCommand.code, byCommand.stdout.includes(ids[1] ?? '')]).toEqual([0, true]);
    expect((await receipt(ids[1])).stdout).toBe(byCommand.stdout);
  });
});
