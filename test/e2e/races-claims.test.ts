/** Claims that come late, twice, or for the wrong request, told on the page of a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson, type JsonObject } from '@handover/core';
import type { Client } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyReceipts } from '../../packages/server/src/cli/verify-receipts.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { tokensEnv } from '../kit/tokens.js';
import { button, connect, stepIs } from './support/drive.js';
import { ask, askedIn, effectOf, firstOf, soon, startByHand } from './support/races.js';
import { FAMILY_NAMES, type FamilyName, type MadeRequest, makeRequest } from './support/requests.js';
import { type TestWallet, WalletError } from './support/test-wallet.js';
import { openWorld, type World } from './support/world.js';

const TIMEOUT = { timeout: 120_000 };
const FIELD = /(?:the hash, or a link that contains it|number of the session)$/;

const OURS = 'token-of-the-agent-of-these-tests';
const FOREIGN = 'token-of-an-agent-of-another-tenant';
let world: World;
let elsewhere: Client;
beforeAll(async () => {
  const tokens = tokensEnv({
    [OURS]: { sender: 'agent' },
    [FOREIGN]: { sender: 'agent', tenant: 'elsewhere' },
  });
  world = await openWorld({ ...tokens, MACP_ALLOW_INSECURE: '1' }, { token: OURS });
  elsewhere = await connectHttp(new URL('/mcp', world.server.http), FOREIGN);
}, 120_000);
afterAll(async () => {
  await elsewhere?.close();
  await world?.close();
});

async function paste(page: Page, value: string): Promise<void> {
  const field = page.getByLabel(FIELD).first();
  const summary = page
    .getByText(
      /^It was (?:replaced, or I have another hash|signed all the same|started under another number)$/,
    )
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

describe.concurrent.each(FAMILY_NAMES)('%s', (family) => {
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
        // review:Y6 With the amount, and both hashes.
        const name =
          family === 'operation' ? /^Paid twice: 2 × 0\.0+1\d{3} ETH$/ : /^Deployed twice \(no\. 1 of /;
        await soon(other, other.getByRole('heading', { name }));
        for (const { value } of firstOf(twice.steps)?.claims ?? [])
          await other.locator('#step-1').getByText(value).waitFor();
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
      let raw: Hex | undefined;
      // The network hears of it only after the hash was told.
      wallet.broadcast = async (value) => {
        raw = value;
      };
      wallet.signed = async (value) => {
        signed = family === 'session' ? await startByHand(world, wallet) : value;
        throw new WalletError(4001, 'User rejected the request.');
      };
      prompt.answer('approve');
      await stepIs(page, 1, 'failed');
      const cancelled = await request.cancel();
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        effect: 'none',
        receipt: { no: 1, effect: 'none' },
      });
      await soon(page, page.getByRole('heading', { name: 'Withdrawn', exact: true }));
      const { resume } = await world.call('wait_for_operation', { id: request.id, timeoutMs: 0 });
      const woken = world.call('wait_for_operation', {
        id: request.id,
        timeoutMs: 50_000,
        ...(resume as object),
      });
      await paste(page, signed);
      expect(await woken).toMatchObject({ changed: true });
      const second = await request.until(({ receipts }) => (receipts as object[]).length > 1);
      if (raw) {
        // A hash that the network does not know may be mistyped: nobody says that anything was sent.
        await soon(page, page.getByText('The network does not know this hash yet.'));
        expect(await page.locator('main').innerText()).not.toMatch(/^Sent/m);
        await page.getByLabel('It was replaced, or I have another hash').waitFor();
        await wallet.rpc('eth_sendRawTransaction', [raw]);
      }
      const done = await request.until(({ steps }) => effectOf(steps) === 'done');
      const receipts = done.receipts as { no: number; digest: string; effect: string }[];
      expect(receipts[0]).toMatchObject({ no: 1, effect: 'none' });
      expect(receiptIn(done).supersedes).toBe(receipts.at(-2)?.digest);
      if (family === 'operation')
        expect(await verified([receiptIn(cancelled), receiptIn(second), receiptIn(done)])).toEqual([0, 1, 3]);
      const end = page.getByText('was signed although it had been withdrawn');
      await soon(page, end.or(page.getByText('Done in part')));
      await context.close();
    },
  );
});

const sessionNumber = (typedData: unknown): string =>
  String((JSON.parse(String(typedData)) as { message: { sessionId: string } }).message.sessionId);

it.concurrent(
  'review:1.11.6 review:X2 a wallet that numbers its prompts can send only one of the two',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'operation');
    const person = await world.person();
    const { address } = person.wallet.account;
    person.wallet.numbersPrompts = true;
    const prompt = await ask(person.page, person.wallet, request);
    const other = await person.context.newPage();
    await tryAgainIn(other, request);
    await request.until(({ status }) => status === 'completed');
    const [first, second] = person.wallet.prompts.map(({ params }) => params[0] as { nonce?: string });
    expect(first?.nonce).toBeUndefined();
    const sent = await world.anvil.client.getTransactionCount({ address });
    expect(Number(second?.nonce)).toBe(sent - 1);
    prompt.answer('approve');
    await person.page.getByText('It is not known whether this was sent').waitFor();
    expect(await request.read()).toMatchObject({ status: 'completed', effect: 'done' });
    expect(await world.anvil.client.getTransactionCount({ address })).toBe(sent);
    await person.context.close();
  },
);

interface Words {
  readonly title: string;
  readonly done: string;
  readonly used: string;
  readonly old: string;
  readonly foreign: { readonly codes: readonly string[]; readonly words: RegExp };
}

/** Whether the server looks first at the hash or at the payment that it found by itself, a stranger's does not count. */
const TRANSACTION: Omit<Words, 'title' | 'done'> = {
  used: 'That transaction belongs to another request',
  old: 'That transaction is older than this request',
  foreign: {
    codes: ['HASH_USED', 'SENDER_UNBOUND'],
    words: /transaction belongs to another request|never asked on this page/,
  },
};

/** What the page of each family says of one that is not its own. */
const WORDS: Readonly<Record<FamilyName, Words>> = {
  operation: { title: 'Done', done: 'paid', ...TRANSACTION },
  bundle: { title: 'Deployed', done: 'deployed', ...TRANSACTION },
  session: {
    title: 'Started',
    done: 'started',
    used: 'That session belongs to another request',
    old: 'That session is older than this request',
    foreign: { codes: ['HASH_USED'], words: /has started this session, but it was counted for a request of/ },
  },
};

/** The hash of a transaction; of a session, the number that its first permit is for. */
const toldOf = (family: FamilyName, wallet: TestWallet, value: string): string =>
  family === 'session' ? sessionNumber(wallet.prompts[0]?.params[1]) : value;

/** Of the first that this wallet signs. */
function firstTold(family: FamilyName, wallet: TestWallet): Promise<string> {
  return new Promise((resolve) => {
    wallet.signed = (value) => resolve(toldOf(family, wallet, value));
  });
}

describe.concurrent.each(FAMILY_NAMES)('%s: one that belongs to something else', (family) => {
  const words = WORDS[family];

  it(
    'review:1.11.8 two requests, one signature: the older ask is done, the other is told that it is not its own',
    TIMEOUT,
    async () => {
      const older = await makeRequest(world, family);
      const newer = await makeRequest(world, family, {}, older.number);
      const { page, context, prompt, wallet } = await askedIn(world, older);
      const told = firstTold(family, wallet);
      const other = await context.newPage();
      await ask(other, wallet, newer);
      // review:D3 Who signs one of the two is told of the other, as it stands now.
      const twin = (of: typeof page) => of.locator('[data-warning="REPEATED"]');
      await twin(other)
        .getByText(`${older.id}, was made at`)
        .getByText(`may have been ${words.done}`)
        .waitFor();
      await soon(page, twin(page).getByText(newer.id));
      prompt.answer('approve');
      await older.until(({ effect }) => effect === 'done');
      await other.reload();
      await twin(other).getByText(`${older.id}, was ${words.done} at`).waitFor();
      await paste(other, await told);
      await soon(other, other.getByText(words.used));
      expect(await newer.read()).toMatchObject({ effect: 'unknown', reasonCode: 'HASH_USED' });
      expect(await button(other, 'I did not sign').count()).toBe(1);
      await soon(page, page.getByRole('heading', { name: words.title, exact: true }));
      expect((await older.read()).effect).toBe('done');
      await context.close();
    },
  );

  it('review:1.11.8 one that is older than the request does not count', TIMEOUT, async () => {
    const { page, context, wallet } = await world.person();
    const [request, told] = await madeAfter(family, page, wallet);
    await ask(page, wallet, request);
    await page.reload();
    await paste(page, told);
    await soon(page, page.getByText(words.old));
    expect(await request.read()).toMatchObject({ effect: 'unknown', reasonCode: 'TOO_OLD' });
    await context.close();
  });

  it(
    'review:1.11.8 the same when the other request is another tenant’s, and claims first',
    TIMEOUT,
    async () => {
      const older = await makeRequest(world, family);
      const foreign = await makeRequest(world, family, {}, older.number, elsewhere);
      const { context, prompt, wallet } = await askedIn(world, older);
      const stranger = await world.person();
      // The number of a session says nothing without its owner: only a wallet of that owner can be taken for it.
      if (family === 'session') stranger.wallet.account = wallet.account;
      await ask(stranger.page, stranger.wallet, foreign);
      // Somebody who saw it tells it for a request of another tenant before its own page can.
      wallet.signed = async (value) => {
        wallet.signed = () => undefined;
        await stranger.page.reload();
        await paste(stranger.page, toldOf(family, wallet, value));
      };
      prompt.answer('approve');
      const isJudged = ({ effect, reasonCode }: Awaited<ReturnType<MadeRequest['until']>>) =>
        effect === 'done' || words.foreign.codes.includes(String(reasonCode));
      const [own, claimed] = await Promise.all([older.until(isJudged), foreign.until(isJudged)]);
      // Of a session it depends on when the server judges it (SECURITY.md). Whoever loses reads `unknown`, never `none`.
      const hasLost = family === 'session' && claimed.effect === 'done';
      expect([own.effect, claimed.effect]).toEqual(hasLost ? ['unknown', 'done'] : ['done', 'unknown']);
      if (hasLost) return Promise.all([context.close(), stranger.context.close()]).then(() => undefined);
      // What the page of the other tenant says names neither the request nor the tenant that it belongs to.
      await soon(stranger.page, stranger.page.getByText(words.foreign.words));
      expect(await stranger.page.locator('main').innerText()).not.toContain(older.id);
      await context.close();
      await stranger.context.close();
    },
  );
});

/** A request, and what its own person has done as it asks before it was made: by itself, or for an equal request. */
async function madeAfter(
  family: FamilyName,
  page: Page,
  wallet: TestWallet,
): Promise<readonly [MadeRequest, string]> {
  if (family === 'operation') {
    const payment = { to: world.anvil.account(6).address, value: 1_000_001n };
    const hash = await world.anvil.client.sendTransaction({ account: wallet.account, ...payment });
    await world.anvil.client.waitForTransactionReceipt({ hash });
    const steps = [{ id: 'pay', txRequest: { to: payment.to, value: String(payment.value) } }];
    return [await makeRequest(world, family, { steps }), hash];
  }
  const first = await makeRequest(world, family);
  const told = firstTold(family, wallet);
  (await ask(page, wallet, first)).answer('approve');
  await first.until(({ effect }) => effect === 'done');
  return [await makeRequest(world, family, {}, first.number), await told];
}

it.concurrent('review:D1 a request that was replaced says so, and by which', TIMEOUT, async () => {
  const old = await makeRequest(world, 'operation');
  const { page, context } = await world.person();
  await page.goto(old.url);
  await button(page, 'Decline this request').waitFor();
  const next = await makeRequest(world, 'operation', { replaces: old.id });
  await soon(page, page.getByRole('heading', { name: 'Replaced', exact: true }));
  await page.getByText(next.id).first().waitFor();
  expect(await button(page, old.verb).count()).toBe(0);
  await page.goto(next.url);
  await page
    .getByText(/^Replaces the request of .*\. Nothing of that one had been sent when this one was made\.$/)
    .waitFor();
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
  const output = { out: (text: string) => void printed.push(text), note: () => undefined };
  const code = await verifyReceipts(paths, { json: true, key: [receipts[0]?.public_key ?? ''] }, output);
  rmSync(folder, { recursive: true });
  const { from, to } = JSON.parse(printed.at(-1) ?? '{}') as { from: number; to: number };
  return [code, from, to];
}
