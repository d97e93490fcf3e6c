/** Headers of a trace may come with any call; they change neither answers nor histories. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import { verifies } from './verifies.js';

const TRACE = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'vendor=value',
};

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ flags: { dev: true } });
});
afterAll(() => server.remove());

it(`${verifies('macp-2026:17.1:tracing')}a call with a trace is answered and recorded as one without`, async () => {
  const histories: unknown[] = [];
  for (const headers of [TRACE, {}]) {
    const client = new GrpcClient(server.grpc, { headers });
    const id = randomUUID();
    expect((await client.send({ ...start(id), messageId: 'start' })).error).toBeUndefined();
    const response = await fetch(`${server.http}/macp/v1/GetSession`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer owner', ...headers },
      body: JSON.stringify({ session_id: id }),
    });
    const answered = JSON.stringify([response.status, await response.json()]).replaceAll(id, '');
    const [first] = await client.history(id, 'owner');
    histories.push([answered, { ...first, sessionId: '' }]);
    expect(JSON.stringify(histories)).not.toContain('4bf92f3577b34da6a3ce929d0e0e4736');
    client.close();
  }
  expect(histories[0]).toEqual(histories[1]);
});
