/**
 * Pictures of three races, with what the agent is told and what was paid, of this build or another:
 * `npm run races [-- --build <folder> --label <words>]`. The same acts for every build; what differs is what is said.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { connect } from './support/drive.js';
import { holdPrompt } from './support/held-prompt.js';
import { type MadeRequest, makeRequest } from './support/requests.js';
import { smallerPng } from './support/smaller-png.js';
import { openWorld, type World } from './support/world.js';

const { values } = parseArgs({
  options: { build: { type: 'string' }, label: { type: 'string', default: 'now' } },
});
const folder = fileURLToPath(new URL('../../docs/pictures/races/', import.meta.url));
const VIEW = { width: 760, height: 620 };
/** Long enough for blocks, looks at the chain and the page's own reading. */
const SETTLE_MS = 15_000;

interface Race {
  readonly name: string;
  /** `snap` takes a picture in the middle of it; the page that it gives is the one at the end. */
  run(world: World, request: MadeRequest, snap: (page: Page) => Promise<void>): Promise<Page>;
}

/** Presses the button; the wallet shows its prompt. */
async function asked(world: World, request: MadeRequest) {
  const person = await world.person(1);
  await person.page.setViewportSize(VIEW);
  const prompt = holdPrompt(person.wallet);
  await person.page.goto(request.url);
  await connect(person.page);
  await person.page.locator('button.primary').click();
  await prompt.isOpen;
  return { ...person, prompt };
}

const races: readonly Race[] = [
  {
    name: 'declined-and-signed',
    run: async (world, request, snap) => {
      const { context, prompt } = await asked(world, request);
      const other = await context.newPage();
      await other.setViewportSize(VIEW);
      await other.goto(request.url);
      await other.locator('.decline > button').click();
      await other.locator('dialog button.danger').click();
      await other.waitForTimeout(2_000);
      await snap(other);
      prompt.answer('approve');
      return other;
    },
  },
  {
    name: 'cancelled-and-signed',
    run: async (world, request, snap) => {
      const { page, prompt } = await asked(world, request);
      await request.cancel();
      await page.waitForTimeout(6_000);
      await snap(page);
      prompt.answer('approve');
      return page;
    },
  },
  {
    name: 'hash-lost',
    run: async (world, request, snap) => {
      const { page, context, prompt, wallet } = await asked(world, request);
      wallet.signed = () => context.setOffline(true);
      prompt.answer('approve');
      await page.waitForTimeout(3_000);
      await snap(page);
      const storageState = await context.storageState();
      await context.close();
      // The browser is opened again, with the link; then the agent, who has heard nothing, cancels.
      const again = await world.browser.newContext({ storageState, viewport: VIEW, locale: 'en-GB' });
      const reopened = await again.newPage();
      await reopened.goto(request.url);
      await reopened.waitForTimeout(SETTLE_MS);
      await request.cancel().catch(() => undefined);
      return reopened;
    },
  },
];

async function take(world: World, { name, run }: Race): Promise<void> {
  const request = await makeRequest(world, 'operation');
  const supplier = { address: world.anvil.account(6).address };
  const before = await world.anvil.client.getBalance(supplier);
  const save = async (of: Page, when: string) => {
    await of.evaluate('window.scrollTo(0, 0)');
    writeFileSync(join(folder, `${name}-${when}-${values.label}.png`), smallerPng(await of.screenshot()));
  };
  const page = await run(world, request, (of) => save(of, 'between'));
  await page.waitForTimeout(SETTLE_MS);
  await page.reload();
  await page.locator('.ending h2, [data-gone]').first().waitFor();
  await save(page, 'after');
  const { status, effect, receipt } = (await request.read()) as Record<string, unknown> & {
    receipt?: { outcome: string };
  };
  const paid = String((await world.anvil.client.getBalance(supplier)) - before);
  const shown = await page.locator('.ending').innerText();
  console.log(JSON.stringify({ race: name, paid, status, effect, receipt: receipt?.outcome, shown }));
  await page.context().close();
}

mkdirSync(folder, { recursive: true });
const binary = values.build && join(values.build, 'packages/server/bin/handover.js');
const world = await openWorld({}, { binary });
try {
  for (const race of races) await take(world, race);
} finally {
  await world.close();
}
