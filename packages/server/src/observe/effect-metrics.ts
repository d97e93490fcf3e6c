/** Metrics of what acts outside: webhooks and the reading of chains. Labels are closed sets; RPCs are those configured. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** `queued`: there is something to deliver. `failed`: one attempt, which is made again. `dropped`: its address is gone. */
export type WebhookOutcome = 'queued' | 'delivered' | 'failed' | 'given_up' | 'dropped';
/** `unasked`: the RPC was left alone, or had too many questions. */
export type ChainOutcome = 'answered' | 'failed' | 'unasked';

export interface WebhookSample {
  readonly pending: number;
  /** Of the oldest one; 0: none waits. */
  readonly oldestSeconds: number;
}

export interface ChainSample {
  readonly rpcs: ReadonlyMap<string, { readonly isPaused: boolean; readonly waiting: number }>;
  readonly watched: number;
  readonly waiting: number;
}

export interface EffectMetrics {
  webhook(outcome: WebhookOutcome, count?: number): void;
  chainAsked(rpc: string, outcome: ChainOutcome, seconds: number): void;
  /** What is read when somebody asks for the metrics. */
  watchWebhooks(read: () => WebhookSample): void;
  watchChains(read: () => ChainSample): void;
}

const REQUEST_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createEffectMetrics(registry: Registry): EffectMetrics {
  const registers = [registry];
  let webhooks: () => WebhookSample = () => ({ pending: 0, oldestSeconds: 0 });
  let chains: () => ChainSample = () => ({ rpcs: new Map(), watched: 0, waiting: 0 });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const byRpc = (name: string, help: string, read: (rpc: { isPaused: boolean; waiting: number }) => number) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['rpc'],
      collect() {
        for (const [rpc, state] of chains().rpcs) this.set({ rpc }, read(state));
      },
    });
  const deliveries = new Counter({
    name: 'handover_webhooks_total',
    help: 'Deliveries of webhooks, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  gauge('handover_webhooks_pending', 'Deliveries that wait.', () => webhooks().pending);
  gauge(
    'handover_webhooks_oldest_seconds',
    'Time since what the oldest waiting delivery tells of.',
    () => webhooks().oldestSeconds,
  );
  const requests = new Counter({
    name: 'handover_chain_requests_total',
    help: 'Questions to the RPC of a chain, by outcome.',
    labelNames: ['rpc', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'handover_chain_request_seconds',
    help: 'Time until an RPC answered or was given up.',
    labelNames: ['rpc'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  byRpc('handover_chain_paused', '1 while an RPC that failed is left alone.', ({ isPaused }) =>
    Number(isPaused),
  );
  byRpc('handover_chain_requests_waiting', 'Questions that wait for an RPC.', ({ waiting }) => waiting);
  gauge('handover_chain_records_watched', 'Operations with claims to be checked.', () => chains().watched);
  gauge('handover_chain_records_waiting', 'Of these, those whose turn has come.', () => chains().waiting);
  return {
    webhook: (outcome, count = 1) => deliveries.inc({ outcome }, count),
    chainAsked(rpc, outcome, took) {
      requests.inc({ rpc, outcome });
      if (outcome !== 'unasked') seconds.observe({ rpc }, took);
    },
    watchWebhooks(read) {
      webhooks = read;
    },
    watchChains(read) {
      chains = read;
    },
  };
}
