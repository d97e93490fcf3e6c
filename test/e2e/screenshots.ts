/** Pictures of every page and state, in light and dark, for docs/images: `npm run screenshots`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startAnvil } from '../kit/anvil.js';
import { launchBrowser, openContext } from './support/browser.js';
import { smallerPng } from './support/smaller-png.js';
import { states } from './support/states.js';
import { startStub } from './support/stub-server.js';
import { TestWallet } from './support/test-wallet.js';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
/** Of these names alone, if any are given. */
const only = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const anvil = await startAnvil({ autoMine: true });
const stub = await startStub({ chains: { publicRpcs: new Map([[31_337, anvil.url]]) } });
const browser = await launchBrowser();

async function take(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ fullPage: true, animations: 'disabled' });
  writeFileSync(`${folder}${name}.png`, smallerPng(png));
  console.log(name);
}

try {
  for (const { name, prepare, dark = false, phone = false } of states) {
    if (only.length > 0 && !only.includes(name)) continue;
    const { context, page } = await openContext(browser, {
      colorScheme: dark ? 'dark' : 'light',
      viewport: phone ? { width: 390, height: 844 } : { width: 860, height: 800 },
    });
    const wallet = new TestWallet({ account: anvil.account(0), rpcUrl: anvil.url, chainId: 31_337 });
    await prepare({ page, stub, wallet, context, poor: anvil.account(7) });
    await take(page, name);
    await context.close();
  }
} finally {
  await browser.close();
  await stub.stop();
  await anvil.stop();
}
