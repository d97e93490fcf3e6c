/** Claims that come late, twice, or for the wrong request, told on the page of a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson, type JsonObject } from '@handover/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyReceipts } from '../../packages/server/src/cli/verify-receipts.js';
import { button, connect, stepIs } from './support/drive.js';
import { ask, askedIn, effectOf, firstOf, startByHand } from './support/races.js';
import { FAMILY_NAMES, type MadeRequest, makeRequest } from './support/requests.js';
import { WalletError } from './support/test-wallet.js';
import { openWorld, type World } from './support/world.js';

const TIMEOUT = { timeout: 120_000 };
const FIELD = /(?:the hash, or a link that contains it|number of the session)$/;

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 120_000);
afterAll(() => world?.close());

async function paste(page: Page, value: string): Promise<void> {
  const field = page.getByLabel(FIELD).first();
  const summary = page
    .getByText(/^It was (?:replaced, or I have another hash|started under another number)$/)
    .first();
  await field.or(summary).filter({ visible: true }).first().waitFor();
  if (!(await field.isVisible())) await summary.click();
  await field.fill(value);
  await button(page, 'Report it').first().click();
}

/** "I did not sign" in a second tab, and another try there. */
async function tryAgainIn(page: Page, request: MadeRequest): Promise<void> {
  await page.goto(request.url);
  await button(page, 'I did not sign').click();
  await stepIs(page, 1, 'failed');
  await page.getByText('The chain is watched for 10 minutes').waitFor();
  await connect(page);
  await page.locator('[data-warning="OTHER_PROMPT"]').waitFor();
  expect((await request.read()).effect).toBe('unknown');
  await button(page, request.verb).click();
}

interface Receipt {
  readonly no: number;
  readonly effect: string;
  readonly supersedes?: string;
  readonly public_key: string;
  readonly steps: readonly { readonly claims: readonly { readonly value: string }[] }[];
}
const receiptIn = (data: Readonly<Record<string, unknown>>) => data.receipt as Receipt;

describe.each(FAMILY_NAMES)('%s', (family) => {
  it(
    'review:1.11.6 "I did not sign", tried again, then the first prompt is signed, too',
    TIMEOUT,
    async () => {
      const request = await makeRequest(world, family);
      const { context, prompt, wallet } = await askedIn(world, request);
      const other = await context.newPage();
      // A bundle goes on by itself: only its first contract is of interest here.
      wallet.decide = () => (wallet.prompts.length === 2 ? 'approve' : 'reject');
      await tryAgainIn(other, request);
      await request.until(({ steps }) => effectOf(steps) === 'done');
      prompt.answer('approve');
      if (family === 'session') {
        // Both prompts were for the same session number: it started once.
        await expect.poll(() => world.xgr.started.length).toBeGreaterThan(0);
        const done = await request.until(({ status }) => status === 'completed');
        expect(done.effect).toBe('done');
        expect(new Set(wallet.prompts.map(({ params }) => sessionNumber(params[1])))).toHaveLength(1);
      } else {
        const twice = await request.until(({ effect }) => effect === 'exceeded');
        expect(twice.reasonCode).toBe('PAID_TWICE');
        expect(firstOf(twice.steps)?.claims).toHaveLength(2);
        await other
          .getByRole('heading', { name: 'More was sent than was asked for' })
          .waitFor({ timeout: 60_000 });
        const { receipt } = twice as { receipt?: Receipt };
        if (family === 'operation') expect(receipt?.steps[0]?.claims).toHaveLength(2);
      }
      await context.close();
    },
  );

  it(
    'review:1.11.7 cancelled with a receipt, then the hash is pasted: the next receipt supersedes it',
    TIMEOUT,
    async () => {
      const request = await makeRequest(world, family);
      const { page, context, prompt, wallet } = await askedIn(world, request);
      let signed = '';
      wallet.signed = async (value) => {
        signed = family === 'session' ? await startByHand(world, wallet) : value;
        throw new WalletError(4001, 'User rejected the request.');
      };
      if (family !== 'session') await world.anvil.client.setIntervalMining({ interval: 0 });
      prompt.answer('approve');
      await stepIs(page, 1, 'failed');
      const cancelled = await request.cancel();
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        effect: 'none',
        receipt: { no: 1, effect: 'none' },
      });
      await page.getByRole('heading', { name: 'Withdrawn', exact: true }).waitFor();
      const { resume } = await world.call('wait_for_operation', { id: request.id, timeoutMs: 0 });
      const woken = world.call('wait_for_operation', {
        id: request.id,
        timeoutMs: 50_000,
        ...(resume as object),
      });
      await paste(page, signed);
      expect(await woken).toMatchObject({ changed: true });
      const second = await request.until(({ receipts }) => (receipts as object[]).length > 1);
      await world.anvil.client.setIntervalMining({ interval: 1 });
      const done = await request.until(({ steps }) => effectOf(steps) === 'done');
      const receipts = done.receipts as { no: number; digest: string; effect: string }[];
      expect(receipts[0]).toMatchObject({ no: 1, effect: 'none' });
      expect(receiptIn(done).supersedes).toBe(receipts.at(-2)?.digest);
      if (family === 'operation')
        expect(await verified([receiptIn(cancelled), receiptIn(second), receiptIn(done)])).toEqual([0, 1, 3]);
      await page
        .getByText('was signed although it had been withdrawn')
        .or(page.getByText('Done in part'))
        .waitFor();
      await context.close();
    },
  );
});

const sessionNumber = (typedData: unknown): string =>
  String((JSON.parse(String(typedData)) as { message: { sessionId: string } }).message.sessionId);

it(
  'review:1.11.6 review:X2 a wallet that numbers its prompts can send only one of the two',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'operation');
    const person = await world.person(3);
    person.wallet.numbersPrompts = true;
    const prompt = await ask(person.page, person.wallet, request);
    const other = await person.context.newPage();
    await tryAgainIn(other, request);
    await request.until(({ status }) => status === 'completed');
    const [first, second] = person.wallet.prompts.map(({ params }) => params[0] as { nonce?: string });
    expect(first?.nonce).toBeUndefined();
    const sent = await world.anvil.client.getTransactionCount({ address: world.anvil.account(3).address });
    expect(Number(second?.nonce)).toBe(sent - 1);
    prompt.answer('approve');
    await person.page.getByText('It is not known whether this was sent').waitFor();
    expect(await request.read()).toMatchObject({ status: 'completed', effect: 'done' });
    expect(await world.anvil.client.getTransactionCount({ address: world.anvil.account(3).address })).toBe(
      sent,
    );
    await person.context.close();
  },
);

it(
  'review:1.11.8 two requests, one payment: the older ask is done, the other is told that it is not its own',
  TIMEOUT,
  async () => {
    const older = await makeRequest(world, 'operation');
    const newer = await makeRequest(world, 'operation', {}, older.number);
    const { page, context, prompt, wallet } = await askedIn(world, older);
    const other = await context.newPage();
    await ask(other, wallet, newer);
    let hash = '';
    wallet.signed = (value) => {
      hash = value;
    };
    prompt.answer('approve');
    await older.until(({ status }) => status === 'completed');
    await other.reload();
    await paste(other, hash);
    await other.getByText('That transaction belongs to another request').first().waitFor({ timeout: 40_000 });
    expect(await newer.read()).toMatchObject({ effect: 'unknown', reasonCode: 'HASH_USED' });
    expect(await button(other, 'I did not sign').count()).toBe(1);
    await page.getByRole('heading', { name: 'Done', exact: true }).waitFor();
    expect((await older.read()).effect).toBe('done');
    await context.close();
  },
);

it('review:1.11.8 a payment that is older than the request does not count', TIMEOUT, async () => {
  const amount = 1_000_000 + 1;
  const hash = await world.anvil.client.sendTransaction({
    account: world.anvil.account(1),
    to: world.anvil.account(6).address,
    value: BigInt(amount),
  });
  await world.anvil.client.waitForTransactionReceipt({ hash });
  const steps = [{ id: 'pay', txRequest: { to: world.anvil.account(6).address, value: String(amount) } }];
  const request = await makeRequest(world, 'operation', { steps });
  const { page, context } = await askedIn(world, request);
  await page.reload();
  await paste(page, hash);
  await page.getByText('That transaction is older than this request').first().waitFor({ timeout: 40_000 });
  expect(await request.read()).toMatchObject({ effect: 'unknown', reasonCode: 'TOO_OLD' });
  await context.close();
});

/** What `handover verify` says of these receipts together: exit code, first and last number. */
async function verified(receipts: readonly Receipt[]): Promise<readonly unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-receipts-'));
  const paths = receipts.map((receipt, i) => {
    const path = join(folder, `${i}.json`);
    writeFileSync(path, canonicalJson(receipt as unknown as JsonObject));
    return path;
  });
  const printed: string[] = [];
  const output = { out: (text: string) => void printed.push(text), err: () => undefined };
  const code = await verifyReceipts(paths, { json: true, key: [receipts[0]?.public_key ?? ''] }, output);
  rmSync(folder, { recursive: true });
  const { from, to } = JSON.parse(printed.at(-1) ?? '{}') as { from: number; to: number };
  return [code, from, to];
}
