/** Bundles that a person deploys. */
import {
  bundle,
  confirm,
  deploy,
  FLOW,
  handingBundle,
  importBundle,
  RULE,
  refuse,
  request,
  resultOf,
  send,
  stands,
} from './bundle.js';
import { about, DAY, MINUTE } from './person.js';
import type { Stories } from './story.js';

const fresh = handingBundle();
const UNWATCHED = { watched: false };

export const bundleStories: Stories = {
  'operation/bundle-untouched': about(fresh, async () => {}),
  'operation/bundle-opened': about(fresh, ({ status }) => status({ status: 'opened' })),
  'operation/bundle-imported': about(fresh, importBundle),
  'operation/bundle-deployed': about(fresh, async (handed) => {
    await importBundle(handed);
    await deploy(handed, RULE);
    await deploy(handed, FLOW);
    await handed.result(resultOf(handed.id));
    await handed.look();
  }),
  'operation/bundle-deployed-with-reused-rule': about(handingBundle(bundle([RULE])), async (handed) => {
    await importBundle(handed);
    stands(handed, RULE);
    await deploy(handed, FLOW);
    await handed.result(resultOf(handed.id));
    await handed.look();
  }),
  'operation/bundle-deployed-without-steps': about(fresh, async (handed) => {
    await importBundle(handed);
    const txHashes = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
    await handed.status({ status: 'imported', txHashes });
    await handed.result(resultOf(handed.id));
    await handed.look();
    stands(handed, RULE);
    stands(handed, FLOW);
    handed.chain.advance(5);
    await handed.look();
  }),
  'operation/bundle-mismatched': about(fresh, async (handed) => {
    await importBundle(handed);
    stands(handed, RULE, '{"payload":{"Other":{}}}');
    stands(handed, FLOW);
    await handed.result(resultOf(handed.id));
    await handed.look();
  }),
  'operation/bundle-mismatched-then-deployed': about(fresh, async (handed) => {
    await importBundle(handed);
    stands(handed, RULE, '{"payload":{"Other":{}}}');
    stands(handed, FLOW);
    await handed.result(resultOf(handed.id));
    await handed.look();
    stands(handed, RULE);
    handed.chain.advance(5);
    await handed.result(resultOf(handed.id, '2026-11-15T12:06:00Z'));
    await handed.look();
  }),
  'operation/bundle-step-submitted': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    await send(handed, RULE);
  }),
  'operation/bundle-step-failed-then-retried': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    await refuse(handed, RULE);
    await deploy(handed, RULE);
  }),
  'operation/bundle-step-mismatched': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    await send(handed, RULE, '0x6001');
    await handed.look();
  }),
  'operation/bundle-step-reverted-then-retried': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    handed.chain.mine(await send(handed, RULE), 'reverted');
    handed.chain.advance(5);
    await handed.look();
    await deploy(handed, RULE);
  }),
  'operation/bundle-step-reorged-then-confirmed': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    const hash = await send(handed, RULE);
    handed.chain.mine(hash);
    await handed.look();
    handed.chain.reorg(hash);
    await handed.look();
    await confirm(handed, RULE, hash);
    await handed.look();
  }),
  'operation/bundle-failed': about(fresh, async (handed) => {
    await importBundle(handed);
    await handed.status({ status: 'failed', error: 'out of gas' });
  }),
  'operation/bundle-cancelled-by-creator': about(fresh, ({ cancel }) => cancel('creator')),
  'operation/bundle-cancelled-by-person': about(fresh, async (handed) => {
    await importBundle(handed);
    await handed.status({ status: 'cancelled' });
  }),
  'operation/bundle-stopped-after-one-of-two': about(fresh, async (handed) => {
    await importBundle(handed);
    await deploy(handed, RULE);
    await handed.status({ status: 'cancelled' });
  }),
  'operation/bundle-expired': about(fresh, async (handed) => {
    await importBundle(handed);
    await handed.waitFor(61 * MINUTE);
  }),
  'operation/bundle-expired-while-wallet-waits': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    await handed.waitFor(2 * DAY);
  }),
  'operation/bundle-expired-then-closed': about(fresh, async (handed) => {
    await importBundle(handed);
    await request(handed, RULE);
    await send(handed, RULE);
    await handed.waitFor(61 * MINUTE);
    await handed.waitFor(2 * DAY);
  }),
  'operation/bundle-closed-pending': about(fresh, async (handed) => {
    await importBundle(handed);
    await handed.result(resultOf(handed.id));
    await handed.look();
    await handed.waitFor(2 * DAY);
  }),
  'operation/bundle-closed-unverified': about(
    fresh,
    async (handed) => {
      await importBundle(handed);
      await handed.result(resultOf(handed.id));
      await handed.waitFor(61 * MINUTE);
    },
    UNWATCHED,
  ),
};
