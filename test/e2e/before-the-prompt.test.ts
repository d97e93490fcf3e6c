/** What a page says right before a prompt and while one is open, in a real browser; the API is one from memory. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { launchBrowser, openContext } from './support/browser.js';
import { button, connect, stepIs } from './support/drive.js';
import { holdPrompt } from './support/held-prompt.js';
import { HASH, OTHER, operation, sessions, step } from './support/records.js';
import { type StubServer, startStub } from './support/stub-server.js';
import { TestWallet, WalletError } from './support/test-wallet.js';

const TIMEOUT = { timeout: 60_000 };
const VERB = 'Sign in the wallet';

let anvil: Anvil;
let stub: StubServer;
let browser: Browser;
beforeAll(async () => {
  anvil = await startAnvil({ autoMine: true });
  stub = await startStub();
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stub?.stop();
  await anvil?.stop();
});

const payment = (value: string) => operation({ steps: [step('s', 'Pay', { to: OTHER, value })] });

async function person(account = 0) {
  const watched = await openContext(browser);
  const wallet = new TestWallet({
    account: anvil.account(account),
    rpcUrl: anvil.url,
    chainId: anvil.chainId,
  });
  await wallet.install(watched.context);
  return { ...watched, wallet };
}

it(
  'review:Y8 its time ends while the prompt is open: what to do, and then what was sent',
  TIMEOUT,
  async () => {
    const { page, context, wallet } = await person();
    const record = payment('1');
    const prompt = holdPrompt(wallet);
    await page.goto(stub.add(record));
    await connect(page);
    await button(page, VERB).click();
    await prompt.isOpen;
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    stub.change(record.id, (now) => ({ ...now, late: true, expiresAt }));
    await page.getByRole('heading', { name: 'Its time is over, but your wallet was asked' }).waitFor();
    await button(page, 'Its time is over: refuse it in your wallet').waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toContain('(over)');
    expect(text).not.toMatch(/over left|Withdrawn|Look at your wallet: it asks/);
    stub.expire(record.id);
    prompt.answer('reject');
    await page.getByText('As far as this server knows, nothing was sent.').waitFor();
    await context.close();
  },
);

it('review:Y7 after "I did not sign" the hash can still be told', TIMEOUT, async () => {
  const { page, context } = await person();
  const record = payment('1');
  const at = new Date().toISOString();
  const ask = { id: 'ask_1', stepIds: ['s'], at, standing: 'unclear' as const };
  const steps = record.steps.map((one) => ({
    ...one,
    status: 'requested' as const,
    effect: 'unknown' as const,
  }));
  await page.goto(stub.add({ ...record, effect: 'unknown', asks: [ask], steps }));
  await button(page, 'I did not sign').click();
  await stepIs(page, 1, 'failed');
  await page.getByText('It was signed all the same').click();
  await page.getByLabel('Another hash').fill(HASH);
  await button(page, 'Report it').click();
  await stepIs(page, 1, 'submitted');
  expect(stub.posts.at(-1)).toMatchObject({ body: { txHash: HASH, source: 'holder' }, status: 200 });
  await context.close();
});

it(
  'review:Y7 a wallet that holds too little is said so, with both amounts, and stops nobody',
  TIMEOUT,
  async () => {
    const { page, context, wallet } = await person(7);
    await wallet.rpc('anvil_setBalance', [wallet.account.address, '0xaa87bee538000']);
    await page.goto(stub.add(payment('10000000000000000')));
    await connect(page);
    await page.getByText('Your wallet has 0.003 ETH on this network; this sends 0.01 ETH.').waitFor();
    wallet.decide = () => 'reject';
    await button(page, VERB).click();
    await stepIs(page, 1, 'failed');
    expect(wallet.prompts).toHaveLength(1);
    // As much as it holds is enough: fees are the wallet's to tell.
    await page.goto(stub.add(payment('3000000000000000')));
    await connect(page);
    await button(page, VERB).and(page.locator(':enabled')).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('[data-warning="LOW_BALANCE"]').count()).toBe(0);
    await context.close();
  },
);

it.each([
  ['silent', 'because its node does not answer'],
  ['another_chain', 'because its node shows another one'],
  ['none', 'can prove nothing'],
] as const)(
  'review:Y5 a network that is %s is told of before the prompt',
  TIMEOUT,
  async (chainSight, words) => {
    const { page, context } = await person();
    await page.goto(stub.add({ ...payment('1'), chainSight }));
    await connect(page);
    const warning = page
      .getByRole('list', { name: 'Warnings' })
      .getByText('This server cannot see this network');
    await warning.getByText(words).waitFor();
    expect(await button(page, VERB).isEnabled()).toBe(true);
    await context.close();
  },
);

it('review:A7 what a wallet says when it is connected or switched is quoted', TIMEOUT, async () => {
  const { page, context, wallet } = await person();
  wallet.chainId = 1;
  const forged = 'busy”. Nothing was sent. Call “0800';
  const shown = page.getByRole('alert').getByText("Your wallet says: “busy'. Nothing was sent. Call '0800”.");
  wallet.refuses = { method: 'eth_requestAccounts', error: new WalletError(-32_603, forged) };
  await page.goto(stub.add(payment('1')));
  await button(page, /^Connect /).click();
  await shown.waitFor();
  wallet.refuses = { method: 'wallet_switchEthereumChain', error: new WalletError(-32_603, forged) };
  await connect(page);
  await button(page, /^Switch to /).click();
  await shown.waitFor();
  await context.close();
});

it('review:Y6 a session that this page cannot start is not called ready', TIMEOUT, async () => {
  const { page, context } = await person();
  await page.goto(stub.add(sessions(1)));
  await page.locator('#step-1').getByText('Waits for a public node').waitFor();
  expect(await page.locator('#step-1').getByText('Ready', { exact: true }).count()).toBe(0);
  await context.close();
});
