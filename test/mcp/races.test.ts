/** Two doors, one log: what is offered over one is answered over the other, and a race has one winner that both tell. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, decline, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';

const server = await useMcpServer();
const [alice, bob] = await Promise.all([connectHttp(server.url, 'alice'), connectHttp(server.url, 'bob')]);
let grpc: GrpcClient;

beforeAll(() => {
  grpc = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
});
afterAll(async () => {
  grpc.close();
  await Promise.all([alice.close(), bob.close()]);
});

/** An offer over MCP; gives both names of it. */
async function offered(): Promise<{
  handoffId: string;
  sessionId: string;
  offerId: string;
  sessionKey: string;
}> {
  const sessionKey = crypto.randomUUID();
  await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
  const asked = await call(alice, 'requestHandoff', {
    sessionKey,
    targetAgent: 'bob',
    requestType: 'full_handoff',
  });
  const [sessionId = '', offerId = ''] = String(asked.handoffId).split(':').map(decodeURIComponent);
  return { handoffId: String(asked.handoffId), sessionId, offerId, sessionKey };
}

describe('one handoff, two doors', () => {
  it('offered over MCP, accepted over gRPC, committed over MCP: the new owner alone can write', async () => {
    const { handoffId, sessionId, offerId, sessionKey } = await offered();
    expect(await grpc.send(accept(sessionId, offerId, 'bob'))).toMatchObject({ ok: true });
    expect(await call(alice, 'commitHandoff', { handoffId })).toMatchObject({ success: true });
    const write = { sessionKey, contextType: 'message', content: 'mine now' };
    expect(await call(alice, 'updateContext', write)).toMatchObject({
      success: false,
      errorCode: 'FORBIDDEN',
    });
    expect(await call(bob, 'updateContext', write)).toMatchObject({ success: true });
  });

  it('offered over gRPC, accepted over MCP', async () => {
    const sessionId = crypto.randomUUID();
    await grpc.send(start(sessionId, 'alice', { participants: ['alice', 'bob'] }));
    await grpc.send(offer(sessionId, 'h/1', 'bob', 'alice'));
    const handoffId = `${sessionId}:${encodeURIComponent('h/1')}`;
    expect(await call(bob, 'acceptHandoff', { handoffId })).toMatchObject({ success: true });
    expect(await grpc.send(decline(sessionId, 'h/1', 'bob'))).toMatchObject({ ok: false });
  });

  it('1,000 races of an accept over MCP with a decline over gRPC: one winner, one story', {
    timeout: 300_000,
  }, async () => {
    const race = async (): Promise<void> => {
      const { handoffId, sessionId, offerId } = await offered();
      const [overMcp, overGrpc] = await Promise.all([
        call(bob, 'acceptHandoff', { handoffId }),
        grpc.send(decline(sessionId, offerId, 'bob')),
      ]);
      expect([overMcp.success, overGrpc.ok].filter(Boolean)).toHaveLength(1);
      const told = await call(alice, 'getHandoff', { handoffId });
      expect(JSON.stringify(told)).toContain(overMcp.success ? '"committed"' : '"declined"');
      const history = await grpc.history(sessionId, 'alice');
      expect(history.at(-2)?.messageType).toBe(overMcp.success ? 'HandoffAccept' : 'HandoffDecline');
      expect(history.at(-1)?.messageType).toBe('Commitment');
    };
    for (let done = 0; done < 1_000; done += 20) await Promise.all(Array.from({ length: 20 }, race));
  });
});
