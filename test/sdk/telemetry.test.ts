/** Spans of OpenTelemetry, with its real API package and a provider that keeps what it is given. */
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  trace,
} from '@opentelemetry/api';
import { HandoffSession } from 'macp-sdk-typescript';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apiFrom } from '../../packages/sdk/src/telemetry/api.js';
import { startBareRuntime } from './support/bare-runtime.js';
import { useServer } from './support/server.js';

interface Kept {
  readonly name: string;
  readonly kind: number | undefined;
  readonly attributes: Attributes;
  status: SpanStatus | undefined;
  ended: number;
}

const kept: Kept[] = [];
const traceId = '0af7651916cd43dd8448eb211c80319c';

function startSpan(name: string, { kind, attributes = {} }: SpanOptions = {}, _?: Context): Span {
  const record: Kept = { name, kind, attributes: { ...attributes }, status: undefined, ended: 0 };
  kept.push(record);
  const context: SpanContext = { traceId, spanId: kept.length.toString(16).padStart(16, '0'), traceFlags: 1 };
  const span = {
    spanContext: () => context,
    setAttribute: (key: string, value: string) => {
      record.attributes[key] = value;
      return span;
    },
    setStatus: (status: SpanStatus) => {
      record.status = status;
      return span;
    },
    end: () => void record.ended++,
  };
  return span as unknown as Span;
}

describe('a program with spans', () => {
  const server = useServer();
  beforeAll(() => {
    trace.setGlobalTracerProvider({
      getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
    });
  });
  afterEach(() => {
    kept.length = 0;
    propagation.disable();
  });
  afterAll(() => trace.disable());

  it('has one for each message and call, with code and ids, and nothing of what was said', async () => {
    const session = new HandoffSession(server.as('alice'));
    const { sessionId } = session;
    await session.start({
      intent: 'topsecret',
      participants: ['bob'],
      ttlMs: 60_000,
      context: Buffer.from('topsecret'),
    });
    await session.offer({
      handoffId: 'topsecret',
      targetParticipant: 'bob',
      scope: 'topsecret',
      messageId: 'm1',
    });
    await expect(session.commit({ action: 'topsecret.accepted' })).rejects.toThrow();
    await session.metadata();
    await session.cancel('topsecret');
    const service = 'macp.v1.MACPRuntimeService';
    expect(kept.map(({ name }) => name)).toEqual(
      ['Send', 'Send', 'Send', 'GetSession', 'CancelSession'].map((rpc) => `${service}/${rpc}`),
    );
    expect(
      kept.every(
        ({ ended, kind, attributes }) =>
          ended === 1 && kind === 2 && attributes['macp.session_id'] === sessionId,
      ),
    ).toBe(true);
    expect(kept[1]?.attributes).toEqual({
      'rpc.system': 'grpc',
      'rpc.service': service,
      'rpc.method': 'Send',
      'macp.mode': 'macp.mode.handoff.v1',
      'macp.message_type': 'HandoffOffer',
      'macp.session_id': sessionId,
      'macp.message_id': 'm1',
      'macp.code': 'OK',
    });
    expect(kept.map(({ attributes }) => attributes['macp.code'])).toEqual([
      'OK',
      'OK',
      'INVALID_ENVELOPE',
      'OK',
      'OK',
    ]);
    expect(kept[2]?.status).toEqual({ code: 2, message: 'INVALID_ENVELOPE' });
    expect(JSON.stringify(kept)).not.toContain('topsecret');
  });

  it('hands its trace on, in its own way where it has one', async () => {
    const runtime = await startBareRuntime();
    await runtime.client.initialize();
    propagation.setGlobalPropagator({
      fields: () => ['traceparent'],
      extract: (from) => from,
      inject: (from, carrier, setter) =>
        setter.set(carrier, 'traceparent', `of ${trace.getSpanContext(from)?.spanId}`),
    });
    await runtime.client.initialize();
    expect(runtime.traceparents).toEqual([`00-${traceId}-0000000000000001-01`, 'of 0000000000000002']);
    await expect(runtime.client.listModes()).rejects.toMatchObject({ code: 'UNIMPLEMENTED' });
    expect(kept[2]?.attributes['macp.code']).toBe('UNIMPLEMENTED');
    runtime.stop();
  });

  it('opens its streams and watches in the trace that it is in, and without one sends none', async () => {
    const runtime = await startBareRuntime();
    const openBoth = async () => {
      for await (const _ of runtime.client.watchRoots()) expect.fail('it says nothing');
      expect(await runtime.client.openStream().read()).toBeNull();
    };
    await openBoth();
    const spanContext = { traceId, spanId: '00000000000000aa', traceFlags: 1 };
    const current = trace.setSpanContext(ROOT_CONTEXT, spanContext);
    context.setGlobalContextManager(inside(current));
    await openBoth();
    context.disable();
    const carried = `00-${traceId}-00000000000000aa-01`;
    expect(runtime.traceparents).toEqual([undefined, undefined, carried, carried]);
    expect(kept).toEqual([]);
    runtime.stop();
  });
});

/** Everything happens in this context. */
function inside(current: Context): ContextManager {
  const manager: ContextManager = {
    active: () => current,
    with: (_, run, self, ...args) => run.call(self as never, ...args),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

describe('a program without', () => {
  it('that has the package and no provider sends no trace', async () => {
    const runtime = await startBareRuntime();
    await runtime.client.initialize();
    expect(runtime.traceparents).toEqual([undefined]);
    expect(kept).toEqual([]);
    runtime.stop();
  });

  it('that has not the package, or something else of its name, has no spans', () => {
    const absent = () => {
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    };
    expect(apiFrom(absent)).toBeUndefined();
    expect(apiFrom(() => ({}))).toBeUndefined();
    expect(apiFrom(() => undefined)).toBeUndefined();
  });
});
