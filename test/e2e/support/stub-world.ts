/** Pages without a server behind them: a local chain that mines at once, an API from memory, a browser with a test wallet. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type Anvil, startAnvil } from '../../kit/anvil.js';
import { launchBrowser, openContext } from './browser.js';
import { type StubServer, startStub } from './stub-server.js';
import { TestWallet } from './test-wallet.js';

export interface StubWorld {
  readonly anvil: Anvil;
  readonly stub: StubServer;
  readonly browser: Browser;
  /** The wallet of the n-th account; it is in no browser yet. */
  wallet(account?: number): TestWallet;
  /** A browser of its own, with that wallet. */
  person(
    account?: number,
    options?: BrowserContextOptions,
  ): Promise<Awaited<ReturnType<typeof openContext>> & { readonly wallet: TestWallet }>;
  close(): Promise<void>;
}

/** `publicRpc`: pages are told where the chain can be read. */
export async function openStubWorld({ publicRpc = false } = {}): Promise<StubWorld> {
  const anvil = await startAnvil({ autoMine: true });
  const chains = { publicRpcs: new Map([[anvil.chainId, anvil.url]]) };
  const stub = await startStub(publicRpc ? { chains } : {});
  const browser = await launchBrowser();
  const wallet = (account = 0) =>
    new TestWallet({ account: anvil.account(account), rpcUrl: anvil.url, chainId: anvil.chainId });
  return {
    anvil,
    stub,
    browser,
    wallet,
    async person(account, options) {
      const watched = await openContext(browser, options);
      const own = wallet(account);
      await own.install(watched.context);
      return { ...watched, wallet: own };
    },
    async close() {
      await browser.close();
      await stub.stop();
      await anvil.stop();
    },
  };
}
