/**
 * A payment that is asked for again while its first prompt is open: a real server, a real chain and a real browser. Both
 * prompts are approved, and the money moves once.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { button, connect, stepIs } from './support/drive.js';
import { holdPrompt } from './support/held-prompt.js';
import { movableClock } from './support/movable-clock.js';
import { ask, soon } from './support/races.js';
import { type MadeRequest, makeRequest } from './support/requests.js';
import type { TestWallet } from './support/test-wallet.js';
import { openWorld, type World } from './support/world.js';

const QUIET_MS = 601_000;
const clock = movableClock();
let world: World;
beforeAll(async () => {
  world = await openWorld({}, { start: clock.start });
}, 120_000);
afterAll(() => world?.close());

/** Asked, and said not to be signed, though the prompt stays open; then the chain has shown nothing of it for long enough. */
async function leftOpen(page: Page, wallet: TestWallet) {
  const old = await makeRequest(world, 'operation');
  const prompt = await ask(page, wallet, old);
  const other = await page.context().newPage();
  await other.goto(old.url);
  await button(other, 'I did not sign').click();
  await stepIs(other, 1, 'failed');
  await wallet.rpc('evm_increaseTime', [QUIET_MS / 1_000]);
  clock.putForward(QUIET_MS);
  await old.until(({ effect, reasonCode }) => effect === 'none' && reasonCode === 'NOT_SIGNED');
  expect(await old.read()).toMatchObject({ openAsks: 1, over: false });
  return { old, prompt, other };
}

/** The request that replaces it, and its prompt, which repeats the number of the first. */
async function askedAgain(other: Page, wallet: TestWallet, old: MadeRequest & { readonly number: number }) {
  const next = await makeRequest(world, 'operation', { replaces: old.id }, old.number);
  const account = wallet.account.address.toLowerCase();
  const replaces = { id: old.id, openPrompt: true, account, nonce: 0 };
  expect(await next.read()).toMatchObject({ replaces });
  await other.goto(next.url);
  const warning = other.locator('[data-warning="REPLACED_PROMPT"]');
  await warning.getByText('may still be open in your wallet: refuse it there, or both are paid').waitFor();
  const prompt = holdPrompt(wallet);
  await connect(other);
  await button(other, next.verb).click();
  await prompt.isOpen;
  expect(wallet.prompts.map(({ params }) => (params[0] as { nonce?: string }).nonce)).toEqual([
    undefined,
    '0x0',
  ]);
  return { next, prompt };
}

/** What its receipts say, the first one first. */
const effectsOf = ({ receipts = [] }: { readonly receipts?: unknown }): readonly string[] =>
  (receipts as readonly { effect: string }[]).map(({ effect }) => effect);

describe.concurrent('a prompt that was left open, and that of the request that replaces it', () => {
  it.each(['new', 'old'])(
    'review:D1 both are approved, the %s one first, and exactly one transaction is mined',
    { timeout: 120_000 },
    async (first) => {
      const { page, context, wallet } = await world.person();
      const { address } = wallet.account;
      // The first has its number since it opened.
      wallet.numbersPrompts = true;
      const left = await leftOpen(page, wallet);
      wallet.numbersPrompts = false;
      const again = await askedAgain(left.other, wallet, left.old);
      const sent: string[] = [];
      wallet.signed = (hash) => void sent.push(hash);
      const [one, two] = first === 'new' ? [again, left] : [left, again];
      const requestOf = (of: typeof one) => ('next' in of ? of.next : of.old);
      one.prompt.answer('approve');
      await requestOf(one).until(({ effect }) => effect === 'done');
      two.prompt.answer('approve');
      const told = first === 'new' ? page : left.other;
      await soon(told, told.getByText('It is not known whether this was sent'));
      expect(sent).toHaveLength(1);
      expect(await world.anvil.client.getTransactionCount({ address })).toBe(1);
      const paid = await requestOf(one).read();
      const unpaid = await requestOf(two).read();
      const steps = [{ claims: [{ value: sent[0] }] }];
      expect(paid).toMatchObject({ status: 'completed', effect: 'done', receipt: { effect: 'done', steps } });
      if (first === 'new') {
        expect(effectsOf(paid)).toEqual(['done']);
        expect(unpaid).toMatchObject({ status: 'cancelled', effect: 'none', over: true });
        expect(effectsOf(unpaid)).toEqual(['none']);
      } else {
        expect(paid.reasonCode).toBe('SENT_AFTER_CANCEL');
        expect(effectsOf(paid)).toEqual(['none', 'unknown', 'done']);
        expect(unpaid).toMatchObject({ effect: 'unknown', twin: { id: left.old.id, effect: 'done' } });
        expect(effectsOf(unpaid)).toEqual([]);
      }
      await context.close();
    },
  );
});
