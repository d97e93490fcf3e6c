/**
 * The part of @opentelemetry/api that is used here. It is no dependency: a program that has it gets spans, another one pays
 * for one look at start. Its own types cannot stand in this package's declarations, which must do without it.
 */
import { createRequire } from 'node:module';

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

export interface Span {
  setAttribute(key: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

export interface TelemetryApi {
  readonly context: { active(): object };
  readonly trace: {
    getTracer(
      name: string,
      version: string,
    ): { startSpan(name: string, options: object, context: object): Span };
    setSpan(context: object, span: Span): object;
    getSpanContext(context: object): SpanContext | undefined;
  };
  readonly propagation: {
    inject(
      context: object,
      carrier: object,
      setter: { set(carrier: object, key: string, value: string): void },
    ): void;
  };
}

/** Undefined where the package is not installed, or is not what it is known as. */
export function apiFrom(load: (name: string) => unknown): TelemetryApi | undefined {
  try {
    const api = load('@opentelemetry/api') as Partial<TelemetryApi>;
    return api.context && api.trace && api.propagation ? (api as TelemetryApi) : undefined;
  } catch {
    return undefined;
  }
}

let found: { readonly api: TelemetryApi | undefined } | undefined;

/** Looked for once, at the first call. Some bundles do not know where they are: then it is not found. */
export function telemetry(): TelemetryApi | undefined {
  found ??= { api: apiFrom((name) => createRequire(import.meta.url)(name)) };
  return found.api;
}
