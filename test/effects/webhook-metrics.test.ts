/** What became of webhooks is in the metrics of a running server. */
import { afterEach, expect, it } from 'vitest';
import { offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { openServer } from '../kit/server.js';
import { until } from '../kit/until.js';
import { SECRET, startReceiver } from './receiver.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it('queued, delivered, failed and given up are counted; what waits and since when is shown', async () => {
  const answers = [204, 500, 410];
  const receiver = await startReceiver((n) => ({ status: answers[n - 1] ?? 204 }));
  closing.push(() => receiver.close());
  const env = { HANDOVER_WEBHOOK_URL: receiver.url, HANDOVER_WEBHOOK_SECRET: SECRET };
  const server = await openServer({ env });
  closing.push(() => server.close(AbortSignal.timeout(1_000)));
  const client = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
  closing.push(() => client.close());
  const metrics = async () => (await fetch(`${server.httpUrl}/metrics`)).text();
  for (const n of [1, 2, 3]) {
    const session = `webhook-metrics-session-${n}`;
    await client.send(start(session));
    await client.send(offer(session, 'h1', 'a'));
    await until(() => receiver.received.length === n);
  }
  const text = await until(metrics, (seen) => seen.includes('outcome="given_up"'));
  for (const line of [
    'handover_webhooks_total{outcome="queued"} 3',
    'handover_webhooks_total{outcome="delivered"} 1',
    'handover_webhooks_total{outcome="failed"} 1',
    'handover_webhooks_total{outcome="given_up"} 1',
    'handover_webhooks_pending 1',
  ])
    expect(text).toContain(`\n${line}\n`);
  expect(text).toMatch(/^handover_webhooks_oldest_seconds (?!0$)/m);
});
