/** Requests that are over, and links that lead nowhere. */
import { operation } from '../records.js';
import { type State, shows, showsStep } from './scene.js';

export const ended: readonly State[] = [
  {
    name: 'operation-declined',
    prepare: shows(() =>
      operation({ status: 'cancelled', closing: { by: 'holder', at: new Date().toISOString() } }),
    ),
  },
  {
    name: 'operation-late',
    phone: true,
    prepare: showsStep(
      {
        status: 'tx_requested',
        effect: 'unknown',
        late: true,
        expiresAt: new Date(Date.now() - 60_000).toISOString(),
      },
      { status: 'requested', effect: 'unknown' },
    ),
  },
  {
    name: 'operation-late-not-signed',
    prepare: showsStep(
      {
        status: 'failed',
        effect: 'unknown',
        late: true,
        reasonCode: 'NOT_SIGNED',
        expiresAt: new Date(Date.now() - 60_000).toISOString(),
      },
      { status: 'failed', effect: 'unknown', reasonCode: 'NOT_SIGNED' },
    ),
  },
  {
    name: 'expired',
    prepare: async ({ page, stub }) => {
      const record = operation();
      stub.expire(record.id);
      await page.goto(stub.add(record));
      await page.locator('[data-gone="expired"]').waitFor();
    },
  },
  {
    name: 'not-found',
    prepare: async ({ page, stub }) => {
      await page.goto(`${stub.url}/operations/op_${'0'.repeat(32)}#k=wrong`);
      await page.locator('[data-gone="not-found"]').waitFor();
    },
  },
  {
    name: 'part-of-a-link',
    prepare: async ({ page, stub }) => {
      await page.goto(`${stub.url}/operations/op_${'0'.repeat(32)}`);
      await page.locator('[data-gone="no-secret"]').waitFor();
    },
  },
  {
    name: 'operation-replaced',
    prepare: shows(() =>
      operation({
        status: 'cancelled',
        closing: { by: 'creator', at: new Date().toISOString(), replacedBy: `op_${'8'.repeat(32)}` },
      }),
    ),
  },
  {
    name: 'operation-not-signed',
    prepare: showsStep(
      {
        status: 'cancelled',
        reasonCode: 'DECLINED',
        closing: { by: 'holder', at: new Date().toISOString() },
      },
      { status: 'failed', reasonCode: 'NOT_SIGNED', reasonBlock: 12_345_678 },
    ),
  },
];
