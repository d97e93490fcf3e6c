/** Sessions of a process that a person starts: one, or a queue of two. */
import { Family, type JsonObject } from '@handover/core';
import { about, DAY, type Handed, handOver, MINUTE, OWNER } from './person.js';
import type { Stories } from './story.js';
import { alice, CHAIN_ID, type RecordingWorld } from './world.js';

const session = (invoice: string): JsonObject => ({
  orchestration: `0x${'1'.repeat(40)}`,
  ostcId: 'invoice_flow',
  stepId: 'Intake',
  payload: { InvoiceId: invoice, Amount: '1200' },
  maxTotalGas: 0,
});
const SINGLE = [session('INV-7')];
const QUEUE = [session('INV-7'), session('INV-8')];
const requestOf = (sessions: readonly JsonObject[]): JsonObject => ({
  type: 'xdala_session_start',
  version: 'xgr-session-start@1',
  sessions,
  mode: sessions.length === 1 ? 'single' : 'queue',
});

const handing =
  (sessions: readonly JsonObject[], more: { readonly expectedSigner?: string } = {}) =>
  (world: RecordingWorld) =>
    handOver(world, Family.SessionStart, (handoffs, idempotencyKey) =>
      handoffs.createSessionStart(alice, {
        source: 'direct',
        network: 'testnet',
        chainId: CHAIN_ID,
        ttlSeconds: 3_600,
        idempotencyKey,
        request: requestOf(sessions),
        ...more,
      }),
    );
const single = handing(SINGLE);
const queue = handing(QUEUE);
const expected = handing(SINGLE, { expectedSigner: OWNER });

const request = ({ progress }: Handed, index = 0) =>
  progress({ index, stepStatus: 'requested', account: OWNER });
const refuse = ({ progress }: Handed, index = 0) =>
  progress({
    index,
    stepStatus: 'failed',
    answer: 'refused',
    walletCode: 4_001,
    error: 'User rejected the request',
  });
const start = async (handed: Handed, index = 0) => {
  await request(handed, index);
  await handed.progress({ index, stepStatus: 'started', sessionId: `${17 + index}`, owner: OWNER });
};
const runs = ({ chain }: Handed, sessionId = '17') => chain.alive.add(`${OWNER}/${sessionId}`);

const started = (index: number, owner = OWNER): JsonObject => ({
  ok: true,
  index,
  status: 'started',
  sessionId: `${17 + index}`,
  owner,
});
const refused = (index: number, status: 'failed' | 'cancelled'): JsonObject => ({
  ok: false,
  index,
  status,
  stage: status === 'failed' ? 'start' : 'cancelled',
  error: 'not signed',
});
const post = (
  { id: handle, result }: Handed,
  status: string,
  results: readonly JsonObject[],
  sessions: readonly JsonObject[] = SINGLE,
) =>
  result({
    handle,
    type: 'xdala_session_start_result',
    status,
    completedAt: '2026-11-15T08:00:00Z',
    results,
    inputType: sessions.length === 1 ? 'singleSession' : 'sessionQueue',
    originalRequest: { ...requestOf(sessions), handle },
  });

export const sessionStartStories: Stories = {
  'operation/session-start-untouched': about(single, async () => {}),
  'operation/session-start-wallet-asked': about(single, (handed) => request(handed)),
  'operation/session-start-progress': about(queue, (handed) => start(handed)),
  'operation/session-start-completed': about(single, async (handed) => {
    await start(handed);
    await post(handed, 'completed', [started(0)]);
    await handed.look();
    runs(handed);
    await handed.look();
  }),
  'operation/session-start-completed-without-progress': about(expected, async (handed) => {
    runs(handed);
    await post(handed, 'completed', [started(0)]);
    await handed.look();
    await handed.look();
  }),
  'operation/session-start-partial': about(queue, async (handed) => {
    await start(handed, 0);
    await request(handed, 1);
    await refuse(handed, 1);
    runs(handed);
    await handed.look();
    await post(handed, 'partial', [started(0), refused(1, 'failed')], QUEUE);
    await handed.look();
    await handed.look();
  }),
  'operation/session-start-step-failed-then-retried': about(queue, async (handed) => {
    await request(handed);
    await refuse(handed);
    await start(handed, 1);
    await start(handed, 0);
    runs(handed, '17');
    runs(handed, '18');
    await handed.look();
  }),
  'operation/session-start-failed': about(single, async (handed) => {
    await request(handed);
    await refuse(handed);
    await post(handed, 'failed', [refused(0, 'failed')]);
  }),
  'operation/session-start-permit-ran-out': about(single, async (handed) => {
    handed.chain.nextSession = '17';
    const known = {
      sessionId: '17',
      owner: OWNER,
      permitExpiry: Math.floor(handed.world.clock.now / 1_000) + 60,
    };
    await handed.progress({ index: 0, stepStatus: 'requested', account: OWNER, ...known });
    await handed.waitFor(25 * MINUTE);
    handed.chain.advance(1);
    await handed.look();
  }),
  'operation/session-start-found-by-the-server': about(single, async (handed) => {
    const known = {
      sessionId: '17',
      owner: OWNER,
      permitExpiry: Math.floor(handed.world.clock.now / 1_000) + 600,
    };
    await handed.progress({ index: 0, stepStatus: 'requested', account: OWNER, ...known });
    runs(handed);
    await handed.look();
    await handed.look();
  }),
  'operation/session-start-cancelled-by-person': about(single, (handed) =>
    post(handed, 'cancelled', [refused(0, 'cancelled')]),
  ),
  'operation/session-start-cancelled-by-creator': about(single, ({ cancel }) => cancel('creator')),
  'operation/session-start-mismatched': about(expected, async (handed) => {
    await post(handed, 'completed', [started(0, `0x${'4'.repeat(40)}`)]);
    await handed.look();
  }),
  'operation/session-start-mismatched-then-completed': about(expected, async (handed) => {
    await post(handed, 'completed', [started(0, `0x${'4'.repeat(40)}`)]);
    await handed.look();
    runs(handed);
    await post(handed, 'completed', [started(0)]);
    await handed.look();
    await handed.look();
  }),
  'operation/session-start-expired': about(single, ({ waitFor }) => waitFor(61 * MINUTE)),
  'operation/session-start-expired-while-wallet-waits': about(single, async (handed) => {
    await request(handed);
    await handed.waitFor(2 * DAY);
  }),
  'operation/session-start-expired-then-closed': about(queue, async (handed) => {
    await start(handed);
    await handed.waitFor(61 * MINUTE);
    await handed.waitFor(2 * DAY);
  }),
  'operation/session-start-closed-pending': about(single, async (handed) => {
    await start(handed);
    await post(handed, 'completed', [started(0)]);
    await handed.look();
    await handed.waitFor(2 * DAY);
  }),
};
