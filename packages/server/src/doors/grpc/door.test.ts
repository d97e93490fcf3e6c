import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Client,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  status,
} from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { fileDescriptors, methods } from '@handover/wire';
import { HealthImplementation, service as healthService } from 'grpc-health-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfiguration } from '../../config/configuration.js';
import { silentLog } from '../../observe/log.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { createMacpServices } from '../../services/macp/macp-services.js';
import { createGrpcDoor } from './door.js';
import { rawService } from './service.js';
import { newSession, sessionStart } from './testing/envelopes.test.helper.js';
import { startWorld, type World } from './testing/world.test.helper.js';

/** The options with which existing TypeScript clients load the proto files. */
const LOADER_OPTIONS = { keepCase: false, longs: String, enums: String, defaults: true, oneofs: true };
const PROTO = fileURLToPath(new URL('../../../../../schemas/proto', import.meta.url));

type Dynamic = Client & Record<string, (...args: readonly unknown[]) => unknown>;

function dynamicClient(definition: PackageDefinition, path: readonly string[], port: number): Dynamic {
  const found = path.reduce<GrpcObject | ServiceClientConstructor>(
    (part, name) => (part as GrpcObject)[name] as GrpcObject,
    loadPackageDefinition(definition),
  ) as ServiceClientConstructor;
  return new found(`127.0.0.1:${port}`, credentials.createInsecure()) as unknown as Dynamic;
}

const unary = (client: Dynamic, method: string, request: object, metadata = new Metadata()) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    client[method]?.(request, metadata, (error: Error | null, answer: Record<string, unknown>) =>
      error ? reject(error) : resolve(answer),
    );
  });

/** What the library does with a name that is watched; its types call it private. */
interface Remembering {
  addWatcher(service: string): void;
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('serves all 27 methods of the service', () => {
  expect(Object.keys(rawService).sort()).toEqual(Object.keys(methods).sort());
  expect(Object.keys(rawService).length).toBe(27);
});

describe('a client made with proto-loader', () => {
  const files = ['macp/v1/core.proto', 'macp/v1/envelope.proto', 'macp/v1/policy.proto'];
  const alice = new Metadata();
  alice.set('authorization', 'Bearer alice-token');
  let client: Dynamic;
  beforeAll(() => {
    const definition = loadSync(files, { ...LOADER_OPTIONS, includeDirs: [PROTO] });
    client = dynamicClient(definition, ['macp', 'v1', 'MACPRuntimeService'], world.port);
  });
  afterAll(() => client.close());

  it('initializes, sends, reads and lists', async () => {
    const { selectedProtocolVersion, capabilities } = await unary(client, 'Initialize', {
      supportedProtocolVersions: ['1.0'],
    });
    expect(selectedProtocolVersion).toBe('1.0');
    expect(capabilities).toMatchObject({ roots: { listRoots: true, listChanged: false } });

    const id = newSession();
    const envelope = sessionStart(id);
    const { ack } = await unary(
      client,
      'Send',
      { envelope: { ...envelope, timestampUnixMs: String(world.clock.now) } },
      alice,
    );
    expect(ack).toMatchObject({ ok: true, sessionState: 'SESSION_STATE_OPEN', error: null });
    const { metadata } = await unary(client, 'GetSession', { sessionId: id }, alice);
    expect(metadata).toMatchObject({
      sessionId: id,
      state: 'SESSION_STATE_OPEN',
      expiresAtUnixMs: String(world.clock.now + 60_000),
    });
    const refused = await unary(client, 'Send', { envelope: { ...envelope, sender: 'bob' } }, alice);
    expect(refused.ack).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED', messageId: 'start' } });
  });

  it('follows a stream', async () => {
    const id = newSession();
    await world.client('alice').send(sessionStart(id));
    const stream = client.StreamSession?.(alice) as NodeJS.ReadWriteStream & { cancel(): void };
    const frame = new Promise<{ response: string; envelope: Record<string, unknown> }>((resolve) =>
      stream.on('data', resolve),
    );
    stream.on('error', () => {});
    stream.write({ subscribeSessionId: id, afterSequence: '0' } as never);
    const { response, envelope } = await frame;
    expect(response).toBe('envelope');
    expect(envelope).toMatchObject({ messageId: 'start', sender: 'alice', sessionId: id });
    const payload = nodeCodec.decode('SessionStart', envelope.payload as Uint8Array);
    expect(payload?.participants).toEqual(['alice', 'bob']);
    stream.cancel();
  });
});

describe('health', () => {
  const connect = (port: number) =>
    dynamicClient(
      { 'grpc.health.v1.Health': healthService } as unknown as PackageDefinition,
      ['grpc', 'health', 'v1', 'Health'],
      port,
    );

  it('says SERVING for the server and the service, and knows no other', async () => {
    const client = connect(world.port);
    for (const service of ['', 'macp.v1.MACPRuntimeService'])
      expect(await unary(client, 'Check', { service })).toEqual({ status: 'SERVING' });
    await expect(unary(client, 'Check', { service: 'other' })).rejects.toMatchObject({
      code: status.NOT_FOUND,
    });
    client.close();
  });

  it('keeps no name that it is asked for, and takes no garbage for a fault of its own', async () => {
    const remembered = vi.spyOn(HealthImplementation.prototype as unknown as Remembering, 'addWatcher');
    const client = connect(world.port);
    for (const service of ['other', 'x'.repeat(50_000)]) {
      const watch = client.Watch?.({ service }) as NodeJS.ReadableStream & { cancel(): void };
      watch.on('error', () => {});
      expect(await new Promise((resolve) => watch.once('data', resolve))).toEqual({
        status: 'SERVICE_UNKNOWN',
      });
      watch.cancel();
    }
    expect(remembered).not.toHaveBeenCalled();
    await expect(unary(client, 'Check', { service: 'x'.repeat(50_000) })).rejects.toMatchObject({
      code: status.NOT_FOUND,
      details: 'this server has no service of that name',
    });
    client.close();
    const raw = world.client('alice');
    for (const method of ['Check', 'Watch'])
      await expect(
        raw.unary(`/grpc.health.v1.Health/${method}`, Buffer.from([0xff, 0xff])),
      ).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    remembered.mockRestore();
  });

  it('says NOT_SERVING when the door closes, and a watch does not hold it up', async () => {
    const other = await startWorld();
    const client = connect(other.port);
    const seen: unknown[] = [];
    const watch = client.Watch?.({ service: '' }) as NodeJS.ReadableStream;
    watch.on('error', () => {});
    const first = new Promise((resolve) => watch.once('data', resolve));
    const ended = new Promise((resolve) => watch.once('end', resolve));
    watch.on('data', (answer: { status: string }) => seen.push(answer.status));
    await first;
    // Without a deadline it would wait for ever for a call that does not end by itself.
    await other.door.close(new AbortController().signal);
    await ended;
    await other.close();
    expect(seen).toEqual(['SERVING', 'NOT_SERVING']);
    client.close();
  });
});

describe('reflection', () => {
  it('lists the service and gives its files', async () => {
    const path = fileURLToPath(
      new URL('../proto/grpc/reflection/v1/reflection.proto', import.meta.resolve('@grpc/reflection')),
    );
    const client = dynamicClient(
      loadSync(path, LOADER_OPTIONS),
      ['grpc', 'reflection', 'v1', 'ServerReflection'],
      world.port,
    );
    const call = client.ServerReflectionInfo?.() as NodeJS.ReadWriteStream;
    interface Answer {
      readonly listServicesResponse?: unknown;
      readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly unknown[] };
    }
    const ask = (request: object) =>
      new Promise<Answer>((resolve) => {
        call.once('data', resolve);
        call.write(request as never);
      });
    const files = async (symbol: string) =>
      (await ask({ fileContainingSymbol: symbol })).fileDescriptorResponse?.fileDescriptorProto.length;
    const { listServicesResponse } = await ask({ listServices: '*' });
    expect(listServicesResponse).toEqual({ service: [{ name: 'macp.v1.MACPRuntimeService' }] });
    expect(await files('macp.v1.MACPRuntimeService')).toBe(3);
    expect(await files('macp.modes.handoff.v1.HandoffOfferPayload')).toBe(1);
    const sources = readdirSync(PROTO, { recursive: true }).filter((name) => String(name).endsWith('.proto'));
    expect(fileDescriptors().length).toBe(sources.length);
    call.end();
    client.close();
  });
});

describe('listening and closing', () => {
  it('says which setting is wrong when the port is taken', async () => {
    const configuration = readConfiguration(
      { MACP_BIND_ADDR: `127.0.0.1:${world.port}`, MACP_MEMORY_ONLY: '1' },
      { dev: true },
    );
    const door = createGrpcDoor({ configuration, services: createMacpServices(world.deps), log: silentLog });
    await expect(door.listen()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      shortMessage: expect.stringContaining('MACP_BIND_ADDR'),
    });
    await door.close();
  });

  it('cuts off at the deadline whoever does not leave', async () => {
    const other = await startWorld();
    const id = newSession();
    await other.client('alice').send(sessionStart(id));
    const stuck = other.client('alice').stream();
    await stuck.opened;
    await other.door.close(AbortSignal.abort());
    expect((await stuck.status).code).toBe(status.UNAVAILABLE);
    await other.close();
  });
});
