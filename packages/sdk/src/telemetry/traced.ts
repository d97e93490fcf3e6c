/**
 * A span around each call: what was called, the ids that it names, and the code that came of it. Payloads, contexts and
 * tokens are never in it. A stream has no span, since it may stay open for days; it carries the trace in which it was opened.
 */
import { type MethodKey, methods } from '@handover/wire';
import { VERSION } from '../constants.js';
import { MacpAckError, MacpSdkError, MacpTransportError } from '../errors.js';
import { type Span, type TelemetryApi, telemetry } from './api.js';

/** What a call is about. */
export interface CallIds {
  readonly mode?: string;
  readonly messageType?: string;
  readonly sessionId?: string;
  readonly messageId?: string;
}

/** Where the context of a trace goes: the metadata of a call. */
interface Carrier {
  set(key: string, value: string): void;
}

const CLIENT = 2;
const OK = 1;
const ERROR = 2;
const NAMES = {
  mode: 'macp.mode',
  messageType: 'macp.message_type',
  sessionId: 'macp.session_id',
  messageId: 'macp.message_id',
} as const;

/** Lets a stream go on with the trace in which it is opened, where the program has one. */
export function injectCurrent(carrier: Carrier): void {
  const api = telemetry();
  if (api) inject(api, api.context.active(), carrier);
}

function inject({ trace, propagation }: TelemetryApi, context: object, carrier: Carrier): void {
  let isSet = false;
  const set = (_: object, key: string, value: string) => {
    isSet = true;
    carrier.set(key, value);
  };
  propagation.inject(context, carrier, { set });
  const { traceId = '', spanId = '', traceFlags = 0 } = trace.getSpanContext(context) ?? {};
  // A program that has set no propagator means the usual one. Zeros are no trace.
  if (isSet || /^0*$/.test(traceId)) return;
  carrier.set('traceparent', `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`);
}

/** The span of one call that is under way. */
export class Trace {
  readonly #api: TelemetryApi;
  readonly #span: Span;

  constructor(api: TelemetryApi, method: MethodKey, ids: CallIds) {
    this.#api = api;
    const name = methods[method].path.slice(1);
    const [service = '', rpc = ''] = name.split('/');
    const attributes: Record<string, string> = {
      'rpc.system': 'grpc',
      'rpc.service': service,
      'rpc.method': rpc,
    };
    for (const key of Object.keys(NAMES) as (keyof typeof NAMES)[])
      if (ids[key]) attributes[NAMES[key]] = ids[key];
    const tracer = api.trace.getTracer('macp-sdk-typescript', VERSION);
    this.#span = tracer.startSpan(name, { kind: CLIENT, attributes }, api.context.active());
  }

  /** Lets the runtime go on with the trace. */
  inject(carrier: Carrier): void {
    const { context, trace } = this.#api;
    inject(this.#api, trace.setSpan(context.active(), this.#span), carrier);
  }

  end(error?: unknown): void {
    const code = error === undefined ? 'OK' : codeOf(error);
    this.#span.setAttribute('macp.code', code);
    this.#span.setStatus(error === undefined ? { code: OK } : { code: ERROR, message: code });
    this.#span.end();
  }
}

/** Makes a call, in a span where the program has spans. */
export async function traced<T>(
  method: MethodKey,
  ids: CallIds,
  call: (trace: Trace | undefined) => Promise<T>,
): Promise<T> {
  const api = telemetry();
  if (!api) return call(undefined);
  const trace = new Trace(api, method, ids);
  try {
    const answer = await call(trace);
    trace.end();
    return answer;
  } catch (error) {
    trace.end(error);
    throw error;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof MacpAckError) return error.code;
  if (error instanceof MacpTransportError) return error.macpCode ?? error.code ?? 'UNKNOWN';
  return error instanceof MacpSdkError ? error.name : 'UNKNOWN';
}
