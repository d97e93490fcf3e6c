/** What was left and picked up, seen by an agent of MACP and by whoever checks the log. */
import { expect, it } from 'vitest';
import { GrpcClient } from '../kit/grpc-client.js';
import { handover } from '../kit/handover-command.js';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

it('assistants:K6 gRPC ListSessions of the taker shows one ordinary session that is RESOLVED, and verify is content', {
  timeout: 30_000,
}, async () => {
  const folder = temporaryFolder();
  const server = await openServer({ flags: { dataDir: folder }, env: { HANDOVER_OPEN_PARKING: '1' } });
  const shop = { 'handover-project': 'shop' };
  const connect = (agent: string) => connectHttp(new URL('/mcp', server.httpUrl), agent, 'modern', shop);
  const [claude, codex] = [await connect('claude'), await connect('codex')];
  const grpc = new GrpcClient(`${server.grpc?.host}:${server.grpc?.port}`);
  const listed = async (bearer: string) => (await grpc.call('listSessions', {}, bearer)).sessions;
  const { sessionKey } = await call(claude, 'handOff', { goal: 'Done by six.', next: ['The index'] });
  expect(await listed('codex')).toEqual([]);
  const got = await call(codex, 'resume', { accept: true });
  expect(got).toMatchObject({ kind: 'parked', yours: true, sessionKey });
  const [id = ''] = got.handoffId.split(':');
  expect(await listed('codex')).toMatchObject([{ sessionId: id, mode: 'macp.mode.handoff.v1', state: 2 }]);
  expect(await listed('claude')).toMatchObject([{ sessionId: id, state: 2 }]);
  expect(await listed('gemini')).toEqual([]);
  grpc.close();
  await Promise.all([claude.close(), codex.close()]);
  await server.close(AbortSignal.timeout(1_000));
  const verified = handover(['verify', folder]);
  expect([await verified.exited, verified.stderr]).toEqual([0, '']);
});
