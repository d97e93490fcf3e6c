/** What a page says right before a prompt and while one is open, in a real browser; the API is one from memory. */
import { readFileSync } from 'node:fs';
import { canonicalJson } from '@handover/core';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperationRecord } from '../../packages/web/src/model/record.js';
import { button, connect, stepIs } from './support/drive.js';
import { holdPrompt } from './support/held-prompt.js';
import { HASH, OTHER, operation, sessions, step } from './support/records.js';
import { openStubWorld, type StubWorld } from './support/stub-world.js';
import { WalletError } from './support/test-wallet.js';

const TIMEOUT = { timeout: 60_000 };
const VERB = 'Sign in the wallet';

let world: StubWorld;
let stub: StubWorld['stub'];
beforeAll(async () => {
  world = await openStubWorld();
  stub = world.stub;
}, 120_000);
afterAll(() => world?.close());

const payment = (value: string) => operation({ steps: [step('s', 'Pay', { to: OTHER, value })] });

const person = (account?: number) => world.person(account);

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

it(
  'review:D1 what replaces an open prompt is sent with its number, so that one of the two is mined',
  TIMEOUT,
  async () => {
    const { page, context, wallet } = await person(3);
    wallet.numbersPrompts = true;
    const old = payment('1');
    const left = holdPrompt(wallet);
    await page.goto(stub.add(old));
    await connect(page);
    await button(page, VERB).click();
    await left.isOpen;
    // Its tab is left as it is; in another one the request that replaces it is signed.
    const nonce = Number(await wallet.rpc('eth_getTransactionCount', [wallet.account.address, 'pending']));
    wallet.decide = () => 'approve';
    const account = wallet.account.address.toLowerCase();
    const replaces = { id: old.id, createdAt: old.createdAt, openPrompt: true, account, nonce } as const;
    const other = await context.newPage();
    await other.goto(stub.add({ ...payment('1'), replaces }));
    await other.getByText('refuse it there, or both are paid').waitFor();
    await connect(other);
    await button(other, VERB).click();
    await stepIs(other, 1, 'submitted');
    expect(wallet.prompts.at(-1)?.params[0]).toMatchObject({ nonce: `0x${nonce.toString(16)}` });
    left.answer('approve');
    await page.getByText('It is not known whether this was sent').first().waitFor();
    expect(Number(await wallet.rpc('eth_getTransactionCount', [account, 'latest']))).toBe(nonce + 1);
    await context.close();
  },
);

it('review:P5 the receipt can be saved as `handover verify` takes it, and copied', TIMEOUT, async () => {
  const { page, context } = await person();
  const receipt = { format: 'handover-operation-receipt@2', effect: 'done', a: [1, 'ü'] };
  const record = {
    ...payment('1'),
    status: 'completed',
    effect: 'done',
    receipt,
  } as unknown as OperationRecord;
  await page.goto(stub.add(record));
  const text = `${canonicalJson(receipt)}\n`;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save receipt' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${record.id}.receipt.json`);
  expect(readFileSync(await download.path(), 'utf8')).toBe(text);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'Copy receipt').click();
  await button(page, 'Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
  await context.close();
});

it('review:C9 a hash of another prompt that nobody has seen is taken back by its ask', TIMEOUT, async () => {
  const { page, context } = await person();
  const claim = { kind: 'tx', value: HASH, source: 'page', verification: 'matched', askId: 'ask_1' } as const;
  const typo = { ...claim, verification: 'pending', reasonCode: 'NOT_SEEN', askId: 'ask_2' } as const;
  const record = payment('1');
  const done = { status: 'confirmed', effect: 'done', claims: [claim, typo] } as const;
  const steps = record.steps.map((one) => ({ ...one, ...done }));
  await page.goto(stub.add({ ...record, status: 'completed', effect: 'done', steps }));
  await button(page, 'I did not sign that one').click();
  await expect
    .poll(() => stub.posts.at(-1)?.body)
    .toMatchObject({ stepId: 's', answer: 'said_not_signed', askId: 'ask_2' });
  await context.close();
});

it('shows addresses with the letters of their checksum', TIMEOUT, async () => {
  const { page, context, wallet } = await person();
  const to = OTHER.toLowerCase();
  await page.goto(stub.add(operation({ steps: [step('s', 'Pay', { to, value: '1' })] })));
  await connect(page);
  const shown = await page.locator('main .address').allTextContents();
  expect(new Set(shown)).toEqual(new Set([getAddress(to), wallet.account.address]));
  await context.close();
});

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
