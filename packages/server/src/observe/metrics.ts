/**
 * Counters for Prometheus: the names of docs/spec/macp.md 6.6, the process and its event loop, and our own under
 * `handover_`. Labels are closed sets (modes by `mode-label.ts`); no id, sender or message ever becomes a label.
 */
import { KEY_RULES, type KeyRule } from '@handover/core';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RateBucket } from '../auth/rate-limiter.js';
import { createEffectMetrics, type EffectMetrics } from './effect-metrics.js';
import { createModeLabel } from './mode-label.js';
import { createRefusedRequests, type RefusedRequests } from './refused-requests.js';

/** Each becomes `macp_<name>_total{mode}`. */
export const ModeEvent = {
  MESSAGE_ACCEPTED: 'messages_accepted',
  MESSAGE_REJECTED: 'messages_rejected',
  SESSION_STARTED: 'sessions_started',
  SESSION_RESOLVED: 'sessions_resolved',
  SESSION_EXPIRED: 'sessions_expired',
  SESSION_CANCELLED: 'sessions_cancelled',
  SESSION_SUSPENDED: 'sessions_suspended',
  SESSION_RESUMED: 'sessions_resumed',
  COMMITMENT_ACCEPTED: 'commitments_accepted',
  COMMITMENT_REJECTED: 'commitments_rejected',
} as const;
export type ModeEvent = (typeof ModeEvent)[keyof typeof ModeEvent];

/** What may refuse a request because there are too many, or too much is stored. */
export const QUOTA_NAMES = [
  ...Object.values(RateBucket),
  'open_sessions',
  'bytes_agent',
  'bytes_tenant',
  'listeners',
  'connection_streams',
  'arriving_requests',
  'page_address',
  'page_secret',
  'page_record',
  'grpc_connections',
] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

export interface Metrics extends EffectMetrics, RefusedRequests {
  count(event: ModeEvent, mode: string): void;
  replayMismatch(): void;
  authenticationFailed(): void;
  /** A request was refused because it held a key. */
  keyRefused(rule: KeyRule): void;
  /** Refused by a quota. */
  rateLimited(quota: QuotaName): void;
  /** What waits for the log; read when somebody asks for the metrics. */
  watchQueue(read: () => { readonly commands: number; readonly bytes: number }): void;
  /** One batch became durable. */
  committed(entries: number, seconds: number): void;
  subscribers(count: number): void;
  /** Calls that listen, and the bytes that wait to be sent to them. */
  listeners(count: number, bytes: number): void;
  /** A call that listened was ended, because it did not keep up. */
  listenerCutOff(): void;
  /** The event loop was held for too long (`loop-guard.ts`). */
  loopHeld(seconds: number): void;
  /** A large document was given to its thread. */
  largeJob(): void;
  /** A receipt of the protocol's format was made and kept. */
  receiptIssued(): void;
  /** One could not be made though the session has one. */
  receiptFailed(): void;
  readonly contentType: string;
  /** The text that a scrape answers. */
  render(): Promise<string>;
}

export interface MetricsOptions {
  /** Modes that get a label of their own; all others are counted as `other`. */
  readonly isKnownMode: (mode: string) => boolean;
  /** Off in tests that make many. */
  readonly process?: boolean;
}

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5];

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  const label = createModeLabel(options.isKnownMode);
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const gauge = (name: string, help: string, read?: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        if (read) this.set(read());
      },
    });
  const byMode = modeCounters(registry);
  const child = childCounters();
  const mismatches = counter('macp_replay_mismatches_total', 'Replays that did not give the recorded state.');
  const refusals = counter(
    'handover_authentication_failures_total',
    'Requests whose credentials were refused.',
  );
  const limited = new Counter({
    name: 'handover_rate_limited_total',
    help: 'Requests refused by a quota, by quota.',
    labelNames: ['bucket'],
    registers,
  });
  // From the start: a series that appears with its first refusal hides that one from whoever looks for an increase.
  for (const bucket of QUOTA_NAMES) limited.inc({ bucket }, 0);
  const keys = new Counter({
    name: 'handover_keys_refused_total',
    help: 'Requests refused because they held key material, by the rule that found it.',
    labelNames: ['rule'],
    registers,
  });
  for (const rule of KEY_RULES) keys.inc({ rule }, 0);
  const refused = createRefusedRequests(registry);
  let queue = () => ({ commands: 0, bytes: 0 });
  gauge('handover_queue_commands', 'Commands waiting for the log.', () => queue().commands);
  gauge('handover_queue_bytes', 'Bytes of commands waiting for the log.', () => queue().bytes);
  const subscribers = gauge('handover_subscribers', 'Open subscriptions.');
  const listeners = gauge('handover_listeners', 'Calls that listen, at all doors.');
  const waiting = gauge('handover_listener_bytes', 'Bytes that wait to be sent to listeners.');
  const cutOff = counter('handover_listeners_cut_off_total', 'Calls that listened and did not keep up.');
  const stretches = counter(
    'handover_loop_held_total',
    'Times that the event loop was held for more than 50 ms.',
  );
  const heldSeconds = counter('handover_loop_held_seconds_total', 'How long it was held then, in all.');
  const largeJobs = counter(
    'handover_large_jobs_total',
    'Large documents that a thread of their own dealt with.',
  );
  const receipts = new Counter({
    name: 'macp_receipts_issued_total',
    help: 'Receipts of the format macp-receipt/1 that were made and kept.',
    labelNames: ['signed'],
    registers,
  });
  receipts.inc({ signed: 'true' }, 0);
  const noReceipts = counter(
    'macp_receipt_issue_failures_total',
    'Receipts of that format that could not be made though their session has one.',
  );
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  const sizes = histogram('handover_batch_entries', 'Entries made durable together.', BATCH_SIZES);
  const latency = histogram('handover_commit_seconds', 'Time to make a batch durable.', COMMIT_SECONDS);
  return {
    ...createEffectMetrics(registry),
    ...refused,
    count: (event, mode) => child(byMode[event], event, label(mode)).inc(),
    replayMismatch: () => mismatches.inc(),
    authenticationFailed: () => refusals.inc(),
    keyRefused: (rule) => keys.inc({ rule }),
    rateLimited: (quota) => limited.inc({ bucket: quota }),
    watchQueue: (read) => {
      queue = read;
    },
    committed: (entries, seconds) => {
      sizes.observe(entries);
      latency.observe(seconds);
    },
    subscribers: (count) => subscribers.set(count),
    listeners: (count, held) => {
      listeners.set(count);
      waiting.set(held);
    },
    listenerCutOff: () => cutOff.inc(),
    loopHeld: (seconds) => {
      stretches.inc();
      heldSeconds.inc(seconds);
    },
    largeJob: () => largeJobs.inc(),
    receiptIssued: () => receipts.inc({ signed: 'true' }),
    receiptFailed: () => noReceipts.inc(),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function modeCounters(registry: Registry): Record<ModeEvent, Counter<'mode'>> {
  const make = (event: ModeEvent) =>
    new Counter({
      name: `macp_${event}_total`,
      help: `MACP: ${event.replace('_', ' ')}, by mode.`,
      labelNames: ['mode'],
      registers: [registry],
    });
  const entries = Object.values(ModeEvent).map((event) => [event, make(event)] as const);
  return Object.fromEntries(entries) as Record<ModeEvent, Counter<'mode'>>;
}

/** Finding a labelled counter costs more than counting: each is looked up once. Labels are a closed set. */
function childCounters(): (counter: Counter<'mode'>, event: ModeEvent, mode: string) => { inc(): void } {
  const known = new Map<string, { inc(): void }>();
  return (counter, event, mode) => {
    const key = `${event} ${mode}`;
    let child = known.get(key);
    if (!child) {
      child = counter.labels({ mode });
      known.set(key, child);
    }
    return child;
  };
}
