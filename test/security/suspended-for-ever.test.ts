/** Whoever starts a session says for how long it may be suspended. No number of theirs may close the lists of everybody named. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { verifyData } from '../../packages/server/src/proof/verify-data.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';

let server: TestServer | undefined;
afterEach(() => server?.remove());

const DAY = 86_400_000;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

async function suspended(maxSuspendMs: number) {
  const up = await TestServer.start({ flags: { dev: true } });
  server = up;
  const id = randomUUID();
  const client = new GrpcClient(up.grpc);
  const participants = ['mallory', 'alice'];
  expect(await client.send(start(id, 'mallory', { participants, maxSuspendMs }))).toMatchObject({ ok: true });
  const { ack } = await client.call('suspendSession', { sessionId: id, reason: '' }, 'mallory');
  expect(ack).toMatchObject({ ok: true });
  client.close();
  return { up, id };
}

async function listed(up: TestServer, agent: string): Promise<readonly string[]> {
  const client = new GrpcClient(up.grpc, { bearer: agent });
  const { sessions } = await client.call('listSessions', { pageSize: 0, pageToken: '' });
  client.close();
  return sessions.map(({ sessionId }) => sessionId);
}

describe('a session that may be suspended for ever', () => {
  it.each([FOR_EVER, FOR_EVER - DAY])(
    '%i ms: stands in the lists, is verified, and goes on',
    async (maxSuspendMs) => {
      const { up, id } = await suspended(maxSuspendMs);
      for (const agent of ['alice', 'mallory']) expect(await listed(up, agent)).toEqual([id]);
      expect((await verifyData(up.folder, { codec })).flaws).toEqual([]);
      up.advance(100 * DAY);
      await up.restart();
      expect(await listed(up, 'alice')).toEqual([id]);
      const client = new GrpcClient(up.grpc);
      const { ack } = await client.call('resumeSession', { sessionId: id, reason: '' }, 'mallory');
      expect(ack).toMatchObject({ ok: true });
      client.close();
      expect((await verifyData(up.folder, { codec })).flaws).toEqual([]);
    },
  );

  it('that an older version wrote down beyond what can be read stands in the lists again', async () => {
    const { up, id } = await suspended(FOR_EVER);
    await up.close();
    const db = new Libsql(join(up.folder, 'handover.db'));
    const version = '(SELECT max(version) FROM schema_version)';
    db.exec(
      `UPDATE streams SET due = 9007201000000000 WHERE due > 9007000000000000; DELETE FROM schema_version WHERE version = ${version}`,
    );
    db.close();
    await up.open();
    expect(await listed(up, 'alice')).toEqual([id]);
    expect((await verifyData(up.folder, { codec })).flaws).toEqual([]);
  });
});
