/** What a browser keeps of an ask until the server knows it, and how it tells it: a real browser, server and chain. */
import type { BrowserContext, Page, Response, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { button, connect, stepIs } from './support/drive.js';
import { askedIn } from './support/races.js';
import { type MadeRequest, makeRequest } from './support/requests.js';
import { openWorld, type World } from './support/world.js';

const TIMEOUT = { timeout: 90_000 };
const BOX = 'Your wallet has sent this, and this server does not know it yet:';
const API = '**/api/**';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 120_000);
afterAll(() => world?.close());

interface Entry {
  readonly clientAsk: string;
  readonly state: string;
  readonly token?: string;
  readonly askId?: string;
  readonly claim?: { readonly txHash: string };
  readonly refusal?: { readonly status: number };
}
async function entriesIn(page: Page): Promise<readonly Entry[]> {
  const texts = await page.evaluate(
    `Object.keys(localStorage).filter((key) => key.startsWith('handover.outbox.')).map((key) => localStorage[key])`,
  );
  return (texts as string[]).map((text) => JSON.parse(text) as Entry);
}

const bodyOf = (route: Route) => (route.request().postDataJSON() ?? {}) as Readonly<Record<string, unknown>>;
const isAsk = (route: Route) => bodyOf(route).stepStatus === 'requested';

type Asked = Pick<Awaited<ReturnType<typeof askedIn>>, 'page' | 'context' | 'prompt' | 'wallet'>;

/** Signed, and told to nobody: the page has the hash, and the server is out of reach. */
async function untold(request: MadeRequest) {
  const person = await askedIn(world, request);
  return { ...person, hash: await signOutOfReach(person) };
}

/** The server is out of reach from the moment of the signature. Gives the hash, once the page tells of it. */
async function signOutOfReach({ page, context, prompt, wallet }: Asked): Promise<string> {
  let hash = '';
  wallet.signed = async (value) => {
    hash = value;
    await context.route(API, (route) => route.abort());
  };
  prompt.answer('approve');
  await page.getByText(BOX).waitFor();
  return hash;
}

const bodyText = (answer: Response): string => answer.request().postData() ?? '';

/** The server has it now, and the page says nothing of it any more. */
async function reportNow(page: Page, context: BrowserContext, request: MadeRequest): Promise<void> {
  const told = page.waitForResponse((answer) => bodyText(answer).includes('"txHash"'));
  await context.unroute(API);
  await button(page, 'Report now').click();
  // The page itself tells it, whatever the server has found.
  expect((await told).status()).toBe(200);
  await page.getByText(BOX).waitFor({ state: 'detached' });
  // Meanwhile the server may have found it by itself: either way it is done.
  await request.until(({ status, effect }) => status === 'completed' && effect === 'done');
}

const askEvents = async (request: MadeRequest) => {
  const { events = [] } = (await request.read()) as { events?: { type: string }[] };
  return events.filter(({ type }) => type === 'tx_requested').length;
};

it(
  'review:A1 review:B1 an answer to the ask that got lost is asked for again: one ask, one prompt',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'bundle');
    const { page, context, wallet } = await world.person();
    wallet.decide = () => 'reject';
    const asks: unknown[] = [];
    const kept: (readonly Entry[])[] = [];
    await page.route(API, async (route) => {
      if (!isAsk(route)) return route.continue();
      asks.push(bodyOf(route).clientAsk);
      kept.push(await entriesIn(page));
      if (asks.length > 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.goto(request.url);
    await connect(page);
    await button(page, request.verb).click();
    await stepIs(page, 1, 'failed');
    expect(asks).toHaveLength(3);
    expect(new Set(asks)).toHaveLength(1);
    // In the outbox before the first post, without a token as yet.
    expect(kept[0]).toMatchObject([{ clientAsk: asks[0], state: 'wanted' }]);
    expect(kept[0]?.[0]?.token).toBeUndefined();
    expect(wallet.prompts).toHaveLength(1);
    expect(await askEvents(request)).toBe(1);
    await expect.poll(() => entriesIn(page)).toEqual([]);
    await context.close();
  },
);

it(
  'review:A1 no answer to the ask at all: no prompt, and the server learns that none was opened',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'operation');
    const { page, context, wallet } = await world.person();
    await page.goto(request.url);
    await connect(page);
    let tries = 0;
    await page.route(API, async (route) => {
      if (!isAsk(route)) return route.abort();
      tries += 1;
      await route.fetch();
      return route.abort();
    });
    await button(page, request.verb).click();
    await page.getByText('The server cannot be reached').waitFor();
    expect(tries).toBe(4);
    expect(wallet.prompts).toEqual([]);
    expect((await request.read()).effect).toBe('unknown');
    await page.unroute(API);
    await stepIs(page, 1, 'failed');
    await page.getByText('Nothing was sent: this page stopped before your wallet was asked.').waitFor();
    // review:1.6 What a notice tells is so, or it goes.
    await page.getByText('The server cannot be reached').waitFor({ state: 'detached' });
    expect(await request.read()).toMatchObject({ effect: 'none', reasonCode: 'WALLET_ERROR' });
    await context.close();
  },
);

it(
  'review:B4 a page that died before it heard of its ask finds it again, with the two ways out',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'operation');
    const { page, context, wallet } = await world.person();
    await page.goto(request.url);
    await connect(page);
    let isTaken: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve;
    });
    await page.route(API, async (route) => {
      if (!isAsk(route)) return route.continue();
      await route.fetch();
      isTaken();
      return route.abort();
    });
    await button(page, request.verb).click();
    await taken;
    await page.unroute(API);
    await page.reload();
    await page.getByText('This browser asked your wallet at').waitFor();
    expect(await entriesIn(page)).toMatchObject([{ state: 'asking', askId: expect.stringMatching(/^ask_/) }]);
    expect(await button(page, request.verb).count()).toBe(0);
    await button(page, 'I did not sign').click();
    await stepIs(page, 1, 'failed');
    expect(wallet.prompts).toEqual([]);
    expect(await entriesIn(page)).toEqual([]);
    await context.close();
  },
);

it(
  'review:B1 the entry is there while the prompt is open, and holds the hash when the wallet has answered',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'operation');
    const { page, context, prompt, wallet } = await askedIn(world, request);
    expect(await entriesIn(page)).toMatchObject([{ state: 'asking', token: expect.any(String) }]);
    const hash = await signOutOfReach({ page, context, prompt, wallet });
    expect(await entriesIn(page)).toMatchObject([{ state: 'answered', claim: { txHash: hash } }]);
    await page.locator('.unreported .hash').getByText(hash).waitFor();
    await page.getByText(/Trying again in \d+ s/).waitFor();
    // review:B3 No button to sign it again, and it does not come back.
    expect(await button(page, request.verb).count()).toBe(0);
    await reportNow(page, context, request);
    expect(await entriesIn(page)).toEqual([]);
    await context.close();
  },
);

it(
  'review:B2 is told after 0, 1, 2, 5, 15 and 60 s, then every 60 s, and at once when network or page come back',
  TIMEOUT,
  async () => {
    const request = await makeRequest(world, 'operation');
    const { page, context, prompt } = await askedIn(world, request);
    await page.clock.install();
    // Time passes only where this test says so.
    await page.clock.pauseAt(Date.now() + 60_000);
    let tries = 0;
    let failures = 0;
    const isTry = (request: { headers(): Record<string, string> }) =>
      request.headers().authorization?.startsWith('Ask ') === true;
    await context.route(API, async (route) => {
      if (isTry(route.request())) tries += 1;
      await route.abort();
    });
    page.on('requestfailed', (failed) => {
      if (isTry(failed)) failures += 1;
    });
    prompt.answer('approve');
    await page.getByText(BOX).waitFor();
    await expect.poll(() => tries).toBe(1);
    let expected = 1;
    for (const seconds of [1, 2, 5, 15, 60, 60, 60]) {
      await page.clock.runFor(seconds * 1_000 - 100);
      expect(tries).toBe(expected);
      await page.clock.runFor(200);
      expected += 1;
      await expect.poll(() => tries).toBe(expected);
    }
    for (const event of [
      `window.dispatchEvent(new Event('online'))`,
      `document.dispatchEvent(new Event('visibilitychange'))`,
    ]) {
      // One try at a time: the one before has come to its end.
      await expect.poll(() => failures).toBe(expected);
      await page.evaluate(event);
      expected += 1;
      await expect.poll(() => tries).toBe(expected);
    }
    await context.close();
  },
);

it('review:B2 a page that leaves while the prompt is open tells that nobody knows', TIMEOUT, async () => {
  const request = await makeRequest(world, 'operation');
  const { page, context } = await askedIn(world, request);
  expect((await request.read()).reasonCode).toBeUndefined();
  await page.goto('about:blank');
  const left = await request.until(({ reasonCode }) => reasonCode !== undefined);
  expect(left).toMatchObject({ effect: 'unknown', reasonCode: 'UNANSWERED' });
  await context.close();
});

it.each([
  [404, 'not found', undefined],
  [410, 'expired', undefined],
  [400, 'bad request', 'txHash must be 0x and 64 hex digits'],
])('review:B2 what the server refuses with %i is shown and kept', TIMEOUT, async (status, error, message) => {
  const request = await makeRequest(world, 'operation');
  const { page, context, hash } = await untold(request);
  await context.unroute(API);
  await context.route(API, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status, json: { error, ...(message && { message }) } })
      : route.continue(),
  );
  await button(page, 'Report now').click();
  await page.getByText(`The server did not take it (${status})`).waitFor();
  if (message) await page.getByText(message).waitFor();
  // Still there on another page of this server, and it can be tried again by hand.
  const elsewhere = await makeRequest(world, 'session');
  await page.goto(elsewhere.url);
  await page.locator('.unreported .hash').getByText(hash).waitFor();
  expect(await entriesIn(page)).toMatchObject([{ refusal: { status } }]);
  await reportNow(page, context, request);
  await context.close();
});

it('review:B2 is kept for 30 days, and no longer', TIMEOUT, async () => {
  const request = await makeRequest(world, 'operation');
  const { page, context } = await untold(request);
  const age = (days: number) =>
    page.evaluate(
      `for (const key of Object.keys(localStorage)) localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), at: Date.now() - ${days} * 86400000 })`,
    );
  // A page of this server that needs no record.
  const empty = `${world.server.http}/operations/op_${'0'.repeat(32)}`;
  await age(29);
  await page.goto(empty);
  await page.getByText(BOX).waitFor();
  await age(31);
  await page.reload();
  await page.getByRole('heading', { name: 'Open the full link' }).waitFor();
  expect(await page.getByText(BOX).count()).toBe(0);
  expect(await entriesIn(page)).toEqual([]);
  await context.close();
});

it('review:B3 without storage: the same box, and the browser warns before it is left', TIMEOUT, async () => {
  const request = await makeRequest(world, 'operation');
  const { page, context, wallet } = await world.person();
  await context.addInitScript(
    `Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })`,
  );
  await page.goto(request.url);
  await connect(page);
  wallet.signed = () => context.route(API, (route) => route.abort());
  await button(page, request.verb).click();
  await page.getByText(BOX).waitFor();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await reportNow(page, context, request);
  // Nothing is left to lose: no question any more.
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
  await context.close();
});
