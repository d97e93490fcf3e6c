import { describe, expect, it } from 'vitest';
import { createMetrics, ModeEvent } from './metrics.js';

const make = () => createMetrics({ isKnownMode: (mode) => mode.startsWith('macp.mode.'), process: false });

describe('metrics', () => {
  it('have the names of the protocol, one line per mode', async () => {
    const metrics = make();
    for (const event of Object.values(ModeEvent)) metrics.count(event, 'macp.mode.handoff.v1');
    metrics.replayMismatch();
    const text = await metrics.render();
    for (const name of [
      'messages_accepted',
      'messages_rejected',
      'sessions_started',
      'sessions_resolved',
      'sessions_expired',
      'sessions_cancelled',
      'sessions_suspended',
      'sessions_resumed',
      'commitments_accepted',
      'commitments_rejected',
    ]) {
      expect(text).toContain(`\nmacp_${name}_total{mode="macp.mode.handoff.v1"} 1\n`);
    }
    expect(text).toContain('\nmacp_replay_mismatches_total 1\n');
    expect(metrics.contentType).toContain('text/plain');
  });

  it('give unknown and too many modes one label', async () => {
    const metrics = make();
    metrics.count('messages_rejected', 'made-up\n"}');
    metrics.count('messages_rejected', '');
    for (let count = 0; count < 1_000; count += 1) metrics.count('messages_rejected', `macp.mode.${count}`);
    const lines = (await metrics.render())
      .split('\n')
      .filter((line) => line.startsWith('macp_messages_rejected_total{'));
    expect(lines).toHaveLength(65);
    expect(lines).toContain(`macp_messages_rejected_total{mode="other"} ${2 + 1_000 - 64}`);
  });

  it('show the loop and the store', async () => {
    const metrics = make();
    metrics.watchQueue(() => ({ commands: 3, bytes: 1_000 }));
    metrics.committed(5, 0.004);
    metrics.subscribers(2);
    metrics.authenticationFailed();
    metrics.rateLimited('message');
    const text = await metrics.render();
    for (const line of [
      'handover_queue_commands 3',
      'handover_queue_bytes 1000',
      'handover_batch_entries_bucket{le="8"} 1',
      'handover_commit_seconds_bucket{le="0.005"} 1',
      'handover_subscribers 2',
      'handover_authentication_failures_total 1',
      'handover_rate_limited_total{bucket="message"} 1',
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
  });

  it('show what acts outside', async () => {
    const metrics = make();
    metrics.webhook('queued', 3);
    metrics.webhook('delivered');
    metrics.watchWebhooks(() => ({ pending: 2, oldestSeconds: 7.5 }));
    metrics.chainAsked('1879', 'answered', 0.02);
    metrics.chainAsked('1879', 'unasked', 0);
    const rpcs = new Map([['1879', { isPaused: true, waiting: 4 }]]);
    metrics.watchChains(() => ({ rpcs, watched: 9, waiting: 8 }));
    const text = await metrics.render();
    for (const line of [
      'handover_webhooks_total{outcome="queued"} 3',
      'handover_webhooks_total{outcome="delivered"} 1',
      'handover_webhooks_pending 2',
      'handover_webhooks_oldest_seconds 7.5',
      'handover_chain_requests_total{rpc="1879",outcome="answered"} 1',
      'handover_chain_requests_total{rpc="1879",outcome="unasked"} 1',
      'handover_chain_request_seconds_bucket{le="0.025",rpc="1879"} 1',
      'handover_chain_request_seconds_count{rpc="1879"} 1',
      'handover_chain_paused{rpc="1879"} 1',
      'handover_chain_requests_waiting{rpc="1879"} 4',
      'handover_chain_records_watched 9',
      'handover_chain_records_waiting 8',
    ])
      expect(text).toContain(`\n${line}\n`);
  });

  it('are separate for each server, and include the process', async () => {
    const [one, two] = [
      createMetrics({ isKnownMode: () => true }),
      createMetrics({ isKnownMode: () => true }),
    ];
    one.subscribers(9);
    const text = await two.render();
    expect(text).toContain('\nhandover_subscribers 0\n');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });
});
