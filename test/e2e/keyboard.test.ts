/** Everything by keyboard alone: connect, sign, decline; and the focus is never lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepIs } from './support/drive.js';
import { OTHER, operation, step } from './support/records.js';
import { openStubWorld, type StubWorld } from './support/stub-world.js';

let world: StubWorld;
let stub: StubWorld['stub'];
beforeAll(async () => {
  world = await openStubWorld();
  stub = world.stub;
}, 120_000);
afterAll(() => world?.close());

async function open() {
  const { page, context, wallet } = await world.person();
  await page.goto(stub.add(operation({ steps: [step('s', 'Pay', { to: OTHER, value: '1' })] })));
  await page.getByText('it matches').waitFor();
  const focused = () => page.evaluate('document.activeElement?.textContent ?? ""') as Promise<string>;
  const tabTo = async (text: RegExp) => {
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      if (text.test(await focused())) return;
    }
    throw new Error(`no way by Tab to ${text}`);
  };
  return { page, context, wallet, focused, tabTo };
}

it('connects and signs', { timeout: 60_000 }, async () => {
  const { page, context, wallet, focused, tabTo } = await open();
  await tabTo(/^Connect Test Wallet/);
  await page.keyboard.press('Enter');
  await page.getByText('On the right network').waitFor();
  await tabTo(/^Sign in the wallet/);
  await page.keyboard.press('Enter');
  await stepIs(page, 1, 'submitted');
  expect(wallet.prompts).toHaveLength(1);
  await expect.poll(focused).toBe('Transaction');
  await context.close();
});

it('declines, and Escape leaves the question', { timeout: 60_000 }, async () => {
  const { page, context, focused, tabTo } = await open();
  await tabTo(/^Decline this request/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await focused()).toBe('Decline this request');
  await page.keyboard.press('Enter');
  await tabTo(/^Decline$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Declined', exact: true }).waitFor();
  await context.close();
});
