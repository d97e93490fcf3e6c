/** A server that is stopped and started again on the same data: whoever follows goes on where they were. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Auth, HandoffSession, MacpClient, Participant, SessionLifecycleWatcher } from 'macp-sdk-typescript';
import { expect, it } from 'vitest';
import { freePort } from '../kit/free-port.js';
import { startServerProcess } from '../kit/server-process.js';

it('subscription, watcher, agent and session survive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sdk-restart-'));
  const options = { dataDir, port: await freePort() };
  let server = await startServerProcess(options);
  const client = new MacpClient({ address: server.grpc, auth: Auth.devAgent('alice') });
  const session = new HandoffSession(client, { retry: { maxRetries: 20 } });
  await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });

  const stop = new AbortController();
  const sequences: number[] = [];
  const following = (async () => {
    for await (const { sequence } of session.follow({ signal: stop.signal })) sequences.push(sequence);
  })();
  const events: string[] = [];
  const watching = new SessionLifecycleWatcher(client).watch(
    ({ eventType }) => void events.push(eventType),
    stop.signal,
  );
  const bob = new Participant({ participantId: 'bob', sessionId: session.sessionId, client });
  const handled: string[] = [];
  const running = bob.on('*', ({ messageType }) => void handled.push(messageType)).run();
  await expect.poll(() => [sequences.length, events.length, handled.length]).toEqual([1, 1, 1]);

  await server.stop('SIGKILL');
  const offered = session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
  server = await startServerProcess(options);
  await offered;
  await bob.actions.accept({ handoffId: 'h1' });
  await expect.poll(() => session.projection.isAccepted('h1')).toBe(true);
  await session.commit();

  expect(await running).toMatchObject({ state: 'RESOLVED' });
  await expect.poll(() => sequences).toEqual([1, 2, 3, 4]);
  await expect.poll(() => events).toEqual(['CREATED', 'RESOLVED']);
  expect(handled).toEqual(['SessionStart', 'HandoffOffer', 'HandoffAccept', 'Commitment']);
  stop.abort();
  await Promise.all([following, watching]);
  client.close();
  await server.stop('SIGTERM');
  rmSync(dataDir, { recursive: true });
});
