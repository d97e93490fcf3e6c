/** What the gRPC port does with bytes, before any rule is asked. */
import { randomUUID } from 'node:crypto';
import { encodeSendRequest, type MethodKey, methods } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { refusedBy } from '../kit/refused.js';
import { TestServer } from '../kit/test-server.js';
import { verifies } from './verifies.js';

/** Field 1, length-delimited, of a length that never comes: the beginning of no message. */
const MALFORMED = Buffer.from('0affffffff0f', 'hex');
const MAX_PAYLOAD = 1_048_576;
const unaryMethods = (Object.keys(methods) as MethodKey[]).filter((key) => !methods[key].responseStream);
const watches = (Object.keys(methods) as MethodKey[]).filter(
  (key) => methods[key].responseStream && !methods[key].requestStream,
);

describe('the gRPC port', () => {
  let server: TestServer;
  let client: GrpcClient;
  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => 'answered',
      (error) => refusedBy(error).status,
    );

  it(`${verifies('send:0:envelope-present')}refuses a Send without an envelope`, async () => {
    expect(await refusalOf(client.raw('send', new Uint8Array(0), 'owner'))).toBe('INVALID_ARGUMENT');
  });

  it.each(unaryMethods)(
    `${verifies('decision:malformed-protobuf')}refuses malformed bytes to %s`,
    async (key) => {
      expect(await refusalOf(client.raw(key, MALFORMED, 'owner'))).toBe('INVALID_ARGUMENT');
    },
  );

  it.each(watches)('refuses malformed bytes to %s', async (key) => {
    const watch = client.watch(key, 'owner', MALFORMED);
    expect(await watch.statusName()).toBe('INVALID_ARGUMENT');
    expect(watch.frames).toEqual([]);
  });

  it('refuses a malformed frame on a stream, and goes on serving the connection', async () => {
    const stream = client.stream('owner');
    stream.call.write(MALFORMED);
    expect(await stream.statusName()).toBe('INVALID_ARGUMENT');
    expect((await client.send(start(randomUUID()))).ok).toBe(true);
  });

  it('refuses a frame above the limit without reading it, and goes on', async () => {
    const large = { ...start(randomUUID()), payload: new Uint8Array(MAX_PAYLOAD + 65_536 + 1) };
    expect(await refusalOf(client.raw('send', encodeSendRequest(large), 'owner'))).toBe('RESOURCE_EXHAUSTED');
    const stream = client.stream('owner').send(large);
    expect(await stream.statusName()).toBe('RESOURCE_EXHAUSTED');
    expect((await client.send(start(randomUUID()))).ok).toBe(true);
  });

  it('answers a payload one byte too large by an Ack, inside the frame limit', async () => {
    const large = { ...start(randomUUID()), payload: new Uint8Array(MAX_PAYLOAD + 1) };
    expect((await client.send(large)).error?.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('serves health, for the server and for the service', async () => {
    const SERVING = '0801';
    for (const name of ['', 'macp.v1.MACPRuntimeService']) {
      const request =
        name === '' ? Buffer.alloc(0) : Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
      const answer = await client.unary('/grpc.health.v1.Health/Check', request);
      expect(Buffer.from(answer).toString('hex')).toBe(SERVING);
    }
  });

  it('serves reflection: the service is in its list', async () => {
    const call = client.bidi('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo');
    const answer = new Promise<Buffer>((resolve, reject) => call.on('data', resolve).on('error', reject));
    call.write(Buffer.from('3a00', 'hex')); // list_services: ""
    expect((await answer).toString('latin1')).toContain('macp.v1.MACPRuntimeService');
    call.end();
  });

  it('does not know other methods', async () => {
    expect(
      await refusalOf(client.unary('/macp.v1.MACPRuntimeService/Nothing', new Uint8Array(0), 'owner')),
    ).toBe('UNIMPLEMENTED');
  });
});
