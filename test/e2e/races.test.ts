/**
 * What pages, agents and receipts say while two things happen at once: a real browser, a real chain, and a wallet whose
 * prompt the test holds open.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { button, stepIs } from './support/drive.js';
import {
  askedIn,
  effectOf,
  listenFor,
  NOTHING,
  soon,
  sourceOf,
  startByHand,
  withdraw,
} from './support/races.js';
import { FAMILY_NAMES, type FamilyName, makeRequest } from './support/requests.js';
import { WalletError } from './support/test-wallet.js';
import { openWorld, type World } from './support/world.js';

const TIMEOUT = { timeout: 120_000 };

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 120_000);
afterAll(() => world?.close());

/** A bundle has a second contract, which is not asked for any more. */
const END: Readonly<Record<FamilyName, { status: string; effect: string }>> = {
  operation: { status: 'completed', effect: 'done' },
  bundle: { status: 'partial', effect: 'partial' },
  session: { status: 'completed', effect: 'done' },
};
const effects = (receipts: unknown) => (receipts as { effect: string }[]).map(({ effect }) => effect);

describe.concurrent.each(FAMILY_NAMES)('%s', (family) => {
  it(
    'review:1.11.1 declined in another tab while the prompt is open, then signed: closing, then done',
    TIMEOUT,
    async () => {
      const request = await makeRequest(world, family);
      const { page, context, prompt, problems } = await askedIn(world, request);
      const other = await context.newPage();
      await other.goto(request.url);
      const said = [listenFor(page, NOTHING), listenFor(other, NOTHING)];
      await withdraw(other);
      await soon(other, other.getByRole('heading', { name: 'Withdrawn, but your wallet was asked' }));
      expect(await button(other, request.verb).count()).toBe(0);
      expect(await request.read()).toMatchObject({ effect: 'unknown', closing: { by: 'holder' } });
      prompt.answer('approve');
      const done = await request.until(({ status }) => status === END[family].status);
      expect(done).toMatchObject({
        effect: END[family].effect,
        reasonCode: family === 'bundle' ? 'STOPPED' : 'SENT_AFTER_DECLINE',
      });
      expect(effects(done.receipts)).not.toContain('none');
      await soon(other, other.getByRole('heading', { name: /^(?:Done|Started|Done in part)$/ }));
      expect((await Promise.all(said.map((one) => one.heard()))).flat()).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  it(
    'review:1.11.2 the agent cancels while the prompt is open; the wallet refuses: cancelled, none',
    TIMEOUT,
    async () => {
      const request = await makeRequest(world, family);
      const { page, context, prompt } = await askedIn(world, request);
      const said = listenFor(page, NOTHING);
      expect(await request.cancel()).toMatchObject({ effect: 'unknown', closing: { by: 'creator' } });
      await soon(page, page.getByRole('heading', { name: 'Withdrawn, but your wallet was asked' }));
      expect(await said.heard()).toEqual([]);
      prompt.answer('reject');
      const done = await request.until(({ status }) => status === 'cancelled');
      expect(done).toMatchObject({ effect: 'none', basis: ['wallet'], reasonCode: 'CANCELLED' });
      await page.getByText('Nothing was sent: your wallet reported that you refused.').first().waitFor();
      await page.getByRole('heading', { name: 'Withdrawn', exact: true }).waitFor();
      await context.close();
    },
  );

  it('review:1.11.2 the agent cancels while the prompt is open; it is signed: done', TIMEOUT, async () => {
    const request = await makeRequest(world, family);
    const { page, context, prompt } = await askedIn(world, request);
    const said = listenFor(page, NOTHING);
    expect(await request.cancel()).toMatchObject({ effect: 'unknown' });
    prompt.answer('approve');
    const done = await request.until(({ status }) => status === END[family].status);
    expect(done).toMatchObject({
      effect: END[family].effect,
      reasonCode: family === 'bundle' ? 'CANCELLED' : 'SENT_AFTER_CANCEL',
    });
    expect(effects(done.receipts)).not.toContain('none');
    expect(await said.heard()).toEqual([]);
    await context.close();
  });

  it(
    'review:1.11.3 offline at the moment of the hash, browser closed, another page opened: the outbox tells it',
    TIMEOUT,
    async ({ expect }) => {
      const request = await makeRequest(world, family);
      const elsewhere = await makeRequest(world, 'operation');
      const { page, context, prompt, wallet } = await askedIn(world, request);
      // Nobody but the browser can tell: a session goes to its node, which does not show it yet; of the others the network
      // hears nothing.
      if (family === 'session') world.xgr.hide(wallet.account.address);
      else wallet.broadcast = async () => undefined;
      wallet.signed = () => page.route('**/api/**', (route) => route.abort());
      prompt.answer('approve');
      await page.getByText('Your wallet has sent this, and this server does not know it yet:').waitFor();
      expect(await button(page, request.verb).count()).toBe(0);
      const storageState = await context.storageState();
      await context.close();
      expect((await request.read()).effect).toBe('unknown');
      const reopened = await world.browser.newContext({ storageState });
      const another = await reopened.newPage();
      await another.goto(elsewhere.url);
      await another.getByRole('heading', { name: 'A request for your signature' }).waitFor();
      const told = await request.until(({ steps }) => sourceOf(steps) !== undefined);
      expect(sourceOf(told.steps)).toBe('page');
      world.xgr.show(wallet.account.address);
      if (family === 'session') await request.until(({ steps }) => effectOf(steps) === 'done');
      await expect.poll(() => another.evaluate('localStorage.length')).toBe(0);
      await another.getByText('does not know it yet').waitFor({ state: 'detached' });
      await reopened.close();
    },
  );

  it('review:1.11.4 the same, and the storage is wiped: the server finds it by itself', TIMEOUT, async () => {
    const request = await makeRequest(world, family);
    const { page, context, prompt, wallet } = await askedIn(world, request);
    wallet.signed = () => page.route('**/api/**', (route) => route.abort());
    prompt.answer('approve');
    await page.getByText('does not know it yet').first().waitFor();
    await context.close();
    const found = await request.until(({ steps }) => sourceOf(steps) !== undefined);
    expect(sourceOf(found.steps)).toBe(family === 'session' ? 'logs' : 'nonce');
    expect((await request.until(({ steps }) => effectOf(steps) === 'done')).effect).not.toBe('none');
  });

  it(
    'review:1.11.5 the wallet answers -32003 after it has sent: nobody says that nothing was sent',
    TIMEOUT,
    async () => {
      const request = await makeRequest(world, family);
      const { page, context, prompt, wallet } = await askedIn(world, request);
      const said = listenFor(page, NOTHING);
      wallet.signed = async () => {
        // For a session that means a wallet which takes the permit to the node by itself.
        if (family === 'session') await startByHand(world, wallet);
        throw new WalletError(-32_003, 'already known');
      };
      prompt.answer('approve');
      await page.getByText('It is not known whether this was sent').first().waitFor();
      const done = await request.until(({ steps }) => effectOf(steps) === 'done');
      expect(sourceOf(done.steps)).toBe(family === 'session' ? 'logs' : 'nonce');
      expect(await said.heard()).toEqual([]);
      await context.close();
    },
  );

  it(
    'review:1.11.9 refused because of the wrong account, then another account: the button works',
    TIMEOUT,
    async () => {
      const request = await makeRequest(world, family);
      const { page, context, prompt, wallet } = await askedIn(world, request);
      prompt.answer('reject');
      await stepIs(page, 1, 'failed');
      const other = await world.person();
      await other.context.close();
      wallet.account = other.wallet.account;
      await page.evaluate(`window.__emit('accountsChanged', [${JSON.stringify(wallet.account.address)}])`);
      await button(page, request.verb).click();
      const done = await request.until(({ steps }) => effectOf(steps) === 'done');
      expect(String(done.account).toLowerCase()).toBe(wallet.account.address.toLowerCase());
      await context.close();
    },
  );
});
