/** Webhooks of the real command over a kill: at least once, under the same id; and what was given up, on the command line. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { accept, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { BINARY } from '../kit/handover-process.js';
import { startServerProcess } from '../kit/server-process.js';
import { until } from '../kit/until.js';
import { SECRET, startReceiver } from './receiver.js';

const SESSION = 'webhook-process-session-1';
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-webhooks-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function serve(dataDir: string, env: Record<string, string>) {
  const server = await startServerProcess({ dataDir, env });
  const client = new GrpcClient(server.grpc);
  cleanUps.push(async () => {
    client.close();
    await server.stop('SIGKILL');
  });
  return { server, client };
}

it('tells after a kill what it could not tell before, and what it had no time to note', async () => {
  const folder = newFolder();
  const failing = await startReceiver(() => ({ status: 500 }));
  const env = { HANDOVER_WEBHOOK_URL: failing.url, HANDOVER_WEBHOOK_SECRET: SECRET };
  const first = await serve(folder, env);
  for (const message of [start(SESSION), offer(SESSION, 'h1', 'a')])
    expect(await first.client.send(message)).toMatchObject({ ok: true });
  await until(() => failing.received.length >= 1);
  expect(await first.client.send(accept(SESSION, 'h1', 'a'))).toMatchObject({ ok: true });
  await first.server.stop('SIGKILL');
  await failing.close();
  const working = await startReceiver(undefined, failing.port);
  cleanUps.push(() => working.close());
  await serve(folder, env);
  const types = () => new Set(working.received.map(({ type }) => type));
  await until(() => types().has('handoff.offered') && types().has('handoff.accepted'), Boolean, {
    timeoutMs: 30_000,
  });
  const offered = working.received.find(({ type }) => type === 'handoff.offered');
  expect(offered?.id).toBe(failing.received[0]?.id);
  expect(working.received.every(({ signed }) => signed)).toBe(true);
});

it('shows what was given up', async () => {
  const folder = newFolder();
  const gone = await startReceiver(() => ({ status: 410 }));
  cleanUps.push(() => gone.close());
  const file = join(folder, '..', `${folder.split('/').at(-1)}.json`);
  writeFileSync(file, JSON.stringify({ webhooks: [{ url: gone.url, secret: SECRET }] }), { mode: 0o600 });
  cleanUps.push(() => rmSync(file, { force: true }));
  const { server, client } = await serve(folder, { HANDOVER_WEBHOOKS_FILE: file });
  for (const message of [start(SESSION), offer(SESSION, 'h1', 'a')])
    expect(await client.send(message)).toMatchObject({ ok: true });
  await until(() => gone.received.length === 1);
  const dead = () =>
    execFileSync(process.execPath, [BINARY, 'webhooks', 'dead', '--data-dir', folder], { encoding: 'utf8' });
  await until(() => dead().includes(`${SESSION}:h1`));
  expect(dead()).toContain('answered 410');
  await server.stop('SIGTERM');
  expect(dead()).toContain('answered 410');
});
