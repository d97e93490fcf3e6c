/** What a state of a page is, and how most of them are brought about. */
import type { BrowserContext, Page } from 'playwright-core';
import type { LocalAccount } from 'viem';
import type { HandoffRecord, Step } from '../../../../packages/web/src/model/record.js';
import { connect } from '../drive.js';
import { approveData, HASH, OTHER, operation, step, TOKEN } from '../records.js';
import type { StubServer } from '../stub-server.js';
import type { TestWallet } from '../test-wallet.js';

export interface Scene {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly stub: StubServer;
  readonly wallet: TestWallet;
  /** An account that holds nothing. */
  readonly poor: LocalAccount;
}

export interface State {
  readonly name: string;
  readonly dark?: boolean;
  readonly phone?: boolean;
  prepare(scene: Scene): Promise<void>;
}

/** Opens the page of a record, with a wallet where the state needs one. */
export const shows =
  (make: () => HandoffRecord, walletNeeded = false) =>
  async ({ page, context, stub, wallet }: Scene): Promise<void> => {
    if (walletNeeded) await wallet.install(context);
    await page.goto(stub.add(make()));
    await page.getByText('Compare with your agent').waitFor();
    if (walletNeeded) await connect(page);
  };

/** One payment whose step stands so, in a record that stands so. */
export const showsStep = (
  record: Parameters<typeof operation>[0],
  rest: Partial<Step>,
  walletNeeded = false,
): ((scene: Scene) => Promise<void>) =>
  shows(
    () => operation({ ...record, steps: [step('s', 'Pay', { to: OTHER, value: '1' }, rest)] }),
    walletNeeded,
  );

/** A step of which a hash was told. */
export const sent = (rest: Partial<Step>): Partial<Step> => ({
  status: 'submitted',
  effect: 'unknown',
  txHash: HASH,
  ...rest,
});

export const twoSteps = (first: Partial<Step> = {}): readonly Step[] => [
  step('approve', 'Allow the exchange', { to: TOKEN, data: approveData(OTHER, 500_000_000n) }, first),
  step('pay', 'Send the coins', { to: OTHER, value: '25000000000000000' }),
];
