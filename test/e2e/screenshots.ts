/** Pictures of every page and state, in light and dark, for docs/images: `npm run screenshots`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openContext } from './support/browser.js';
import { smallerPng } from './support/smaller-png.js';
import { states } from './support/states.js';
import { openStubWorld } from './support/stub-world.js';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
/** Of these names alone, if any are given. */
const only = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const world = await openStubWorld({ publicRpc: true });

async function take(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ fullPage: true, animations: 'disabled' });
  writeFileSync(`${folder}${name}.png`, smallerPng(png));
  console.log(name);
}

try {
  for (const { name, prepare, dark = false, phone = false } of states) {
    if (only.length > 0 && !only.includes(name)) continue;
    const { context, page } = await openContext(world.browser, {
      colorScheme: dark ? 'dark' : 'light',
      viewport: phone ? { width: 390, height: 844 } : { width: 860, height: 800 },
    });
    const { stub, anvil } = world;
    await prepare({ page, stub, wallet: world.wallet(), context, poor: anvil.account(7) });
    await take(page, name);
    await context.close();
  }
} finally {
  await world.close();
}
