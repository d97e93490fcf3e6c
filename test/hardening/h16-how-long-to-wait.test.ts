/** A refusal after which waiting helps says how long, at every door; and on one's own machine one does not meet it. */
import { Client, credentials, Metadata, type StatusObject } from '@grpc/grpc-js';
import { CoreMessageType, type Envelope, envelopeToJson, FaultCode, HandoverError } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { type Ack, decodeAckResponse, encodeMessage, encodeSendRequest, methods, pb } from '@handover/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../packages/server/src/config/configuration.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import type { Server } from '../../packages/server/src/server.js';
import { envelopeOf, offer, start } from '../kit/envelopes.js';
import { FaultyStore } from '../kit/faulty-store.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { type OpenServerOptions, openServer } from '../kit/server.js';
import { startServerProcess } from '../kit/server-process.js';
import { until } from '../kit/until.js';
import { O1 } from '../operations/support/examples.js';
import { secretIn, type Wire } from '../operations/support/world.js';

const SESSION = 'waiting-test-session-0001';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(options: OpenServerOptions): Promise<Server> {
  const server = await openServer(options);
  closing.push(() => server.close(AbortSignal.timeout(1_000)));
  return server;
}

const grpcAddress = ({ grpc }: Server): string => `${grpc.host}:${grpc.port}`;
const signal = (sender: string) =>
  envelopeOf('', sender, CoreMessageType.Signal, new Uint8Array(0), { mode: '' });
const waitIn = (details: Uint8Array): unknown => JSON.parse(Buffer.from(details).toString('utf8'));

/** A unary call with its status, trailers included, whatever the outcome. */
async function unary(server: Server, path: string, bytes: Uint8Array, bearer: string) {
  const client = new Client(grpcAddress(server), credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${bearer}`);
  let answer: Uint8Array | undefined;
  const status = await new Promise<StatusObject>((resolve) => {
    const call = client.makeUnaryRequest(
      path,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => value,
      bytes,
      metadata,
      (_, value) => {
        answer = value;
      },
    );
    call.on('status', resolve);
  });
  client.close();
  return { answer, trailers: status.metadata };
}

async function send(server: Server, envelope: Envelope) {
  const { answer, trailers } = await unary(
    server,
    methods.send.path,
    encodeSendRequest(envelope),
    envelope.sender,
  );
  return { ack: decodeAckResponse(answer ?? new Uint8Array(0)) as Ack, trailers };
}

describe('how long to wait', () => {
  it('hardening:H16 is said at every door, in details, trailers and headers', async () => {
    const server = await opened({
      env: {
        MACP_MESSAGE_LIMIT_PER_MINUTE: '1',
        MACP_SESSION_START_LIMIT_PER_MINUTE: '1',
        MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '2',
      },
    });
    const wait = { retry_after_ms: expect.toSatisfy((ms: number) => ms > 0 && ms <= 60_000) };
    const seconds = expect.stringMatching(/^[1-9][0-9]?$/);
    await send(server, signal('alice'));

    const { ack, trailers } = await send(server, signal('alice'));
    expect(ack.error?.code).toBe('RATE_LIMITED');
    expect(waitIn(ack.error?.details ?? new Uint8Array(0))).toEqual(wait);
    expect(trailers.get('retry-after')).toEqual([seconds]);
    expect(waitIn(trailers.get('macp-error-details-bin')[0] as Buffer)).toEqual(wait);
    const { retry_after_ms: ms } = waitIn(ack.error?.details as Uint8Array) as { retry_after_ms: number };
    expect(Number(trailers.get('retry-after')[0])).toBe(Math.ceil(ms / 1_000));

    const stream = new GrpcClient(grpcAddress(server)).stream('alice');
    stream.send(offer(SESSION, 'h1', 'a', 'alice'));
    const frame = await until(() => stream.frames.find(({ kind }) => kind === 'error'));
    expect(frame?.kind === 'error' && waitIn(frame.error.details)).toEqual(wait);
    stream.cancel();

    const answer = await fetch(`${server.httpUrl}/macp/envelope`, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json' },
      body: JSON.stringify(envelopeToJson(signal('alice'), nodeCodec)),
    });
    const body = (await answer.json()) as { error: { code: string; details: string } };
    expect([answer.status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(waitIn(Buffer.from(body.error.details, 'base64'))).toEqual(wait);
    expect(answer.headers.get('retry-after')).toEqual(seconds);

    const client = await connectHttp(new URL('/mcp', server.httpUrl), 'alice');
    closing.push(() => client.close());
    const result = (await client.callTool({
      name: 'registerSession',
      arguments: { sessionKey: 'k', agentFrom: 'alice' },
    })) as Wire;
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      errorCode: 'RATE_LIMITED',
      details: { retryAfterMs: wait.retry_after_ms },
    });

    const maker = await connectHttp(new URL('/mcp', server.httpUrl), 'maker');
    closing.push(() => maker.close());
    const made = (await maker.callTool({ name: 'create_operation_handoff', arguments: O1() })) as Wire;
    const { id, operationUrl } = JSON.parse(made.content[0].text);
    const page = () =>
      fetch(`${server.httpUrl}/api/operations/${id}`, {
        headers: { authorization: `Handoff ${secretIn(operationUrl)}` },
      });
    const pages = [await page(), await page(), await page()];
    const refused = pages.at(-1);
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(refused?.headers.get('retry-after')).toEqual(seconds);
    expect(await refused?.json()).toMatchObject({ retryAfterMs: wait.retry_after_ms });
  });

  it('is said when the queue is full and when the disk takes nothing', async () => {
    const store = new FaultyStore(createMemoryStore());
    const server = await opened({ env: { HANDOVER_QUEUE_MAX_COMMANDS: '1' }, store });
    const soon = { retry_after_ms: 1_000 };
    const hold = store.holdNextCommit();
    const first = send(server, start(SESSION));
    await hold.reached;
    const full = await send(server, start('waiting-test-session-0002'));
    expect(full.ack.error?.code).toBe('RATE_LIMITED');
    expect(waitIn(full.ack.error?.details as Uint8Array)).toEqual(soon);
    expect(full.trailers.get('retry-after')).toEqual(['1']);
    const metrics = async () => (await fetch(`${server.httpUrl}/metrics`)).text();
    expect(await metrics()).toMatch(/^handover_queue_commands 1\n(.*\n)*handover_queue_bytes [1-9]\d\d/m);
    hold.release();
    expect((await first).ack.ok).toBe(true);
    expect(await metrics()).toMatch(/^handover_queue_commands 0\n(.*\n)*handover_queue_bytes 0$/m);

    store.failNextAppend();
    const lost = await send(server, offer(SESSION, 'h1', 'a'));
    expect(lost.ack.error?.code).toBe('INTERNAL_ERROR');
    expect(waitIn(lost.ack.error?.details as Uint8Array)).toEqual(soon);
    expect((await send(server, offer(SESSION, 'h1', 'a'))).ack.ok).toBe(true);

    store.failNextAppend();
    const suspend = encodeMessage(pb.SuspendSessionRequestSchema, { sessionId: SESSION });
    const unsteered = await unary(server, methods.suspendSession.path, suspend, 'owner');
    expect(decodeAckResponse(unsteered.answer ?? new Uint8Array(0))?.error?.code).toBe('INTERNAL_ERROR');
    expect(unsteered.trailers.get('retry-after')).toEqual(['1']);
  });

  it('is said in the trailers of a call that fails as a whole', async () => {
    const inner = createMemoryStore();
    const store = {
      ...inner,
      list: () => Promise.reject(new HandoverError(FaultCode.OVERLOADED, 'busy', { next: 'retryable' })),
    };
    const server = await opened({ store });
    const request = encodeMessage(pb.ListSessionsRequestSchema, {});
    const { trailers } = await unary(server, methods.listSessions.path, request, 'alice');
    expect(trailers.get('retry-after')).toEqual(['1']);
    expect(waitIn(trailers.get('macp-error-details-bin')[0] as Buffer)).toEqual({ retry_after_ms: 1_000 });
    const answer = await fetch(`${server.httpUrl}/macp/session`, {
      headers: { authorization: 'Bearer alice' },
    });
    const { details } = (await answer.json()) as { details: string };
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    expect(waitIn(Buffer.from(details, 'base64'))).toEqual({ retry_after_ms: 1_000 });
  });
});

describe('dev mode', () => {
  it('starts far more sessions in a minute than a server with credentials', async () => {
    const server = await startServerProcess({
      env: { MACP_SESSION_START_LIMIT_PER_MINUTE: '', MACP_MESSAGE_LIMIT_PER_MINUTE: '' },
    });
    const client = new GrpcClient(server.grpc);
    const starts = Array.from({ length: 300 }, (_, i) => client.send(start(`dev-mode-session-number-${i}`)));
    const accepted = (await Promise.all(starts)).filter(({ ok }) => ok);
    client.close();
    await server.stop();
    expect(accepted).toHaveLength(300);
  });

  it('has limits of its own unless they are set', () => {
    const limits = (env: Record<string, string>, dev: boolean) => {
      const read = readConfiguration({ MACP_MEMORY_ONLY: '1', MACP_ALLOW_INSECURE: '1', ...env }, { dev });
      const { sessionStartsPerMinute, messagesPerMinute } = read.limits;
      return [sessionStartsPerMinute, messagesPerMinute, read.changeable.MACP_MESSAGE_LIMIT_PER_MINUTE];
    };
    expect(limits({}, false)).toEqual([60, 600, 600]);
    expect(limits({}, true)).toEqual([6_000, 60_000, 60_000]);
    expect(limits({ MACP_MESSAGE_LIMIT_PER_MINUTE: '7' }, true)).toEqual([6_000, 7, 7]);
  });
});
