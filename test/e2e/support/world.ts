/**
 * The whole system for a test: a real local chain, a stand-in for the xgr_* methods in front of it, the real `handover`
 * command, an agent over MCP and a browser with a test wallet.
 */
import type { Client } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { type Anvil, startAnvil } from '../../kit/anvil.js';
import { connectHttp } from '../../kit/mcp-clients.js';
import { type ServerProcess, startServerProcess } from '../../kit/server-process.js';
import { until } from '../../kit/until.js';
import { startXgrRpc } from '../../kit/xgr-rpc.js';
import { launchBrowser, openContext } from './browser.js';
import { TestWallet } from './test-wallet.js';

type Data = Readonly<Record<string, unknown>>;

/** The accounts before have their parts in the tests. */
const FIRST_NEW = 9;

export type World = Awaited<ReturnType<typeof openWorld>>;

type WorldServer = Pick<ServerProcess, 'http' | 'stop' | 'stderr'>;

interface WorldOptions {
  /** The command of another build. */
  readonly binary?: string | undefined;
  /** Of the agent, where the server checks credentials. */
  readonly token?: string;
  /** A server that is not the command: one in this process, of which the test has more in its hand. */
  readonly start?: (env: Readonly<Record<string, string>>) => Promise<WorldServer>;
}

export async function openWorld(
  env: Readonly<Record<string, string>> = {},
  { binary, token, start }: WorldOptions = {},
) {
  const anvil: Anvil = await startAnvil({ blockTimeSeconds: 1 });
  const xgr = await startXgrRpc(anvil.url);
  const settings = {
    XGR_RPC_URL: xgr.url,
    [`HANDOVER_RPC_URL_${anvil.chainId}`]: xgr.url,
    [`HANDOVER_PUBLIC_RPC_URL_${anvil.chainId}`]: xgr.url,
    HANDOVER_CONFIRMATIONS: '2',
    ...env,
  };
  const command = () =>
    startServerProcess({
      env: settings,
      ...(binary !== undefined && { binary }),
      ...(token !== undefined && { args: [] }),
    });
  const server: WorldServer = await (start ? start(settings) : command());
  const browser: Browser = await launchBrowser();
  const agent: Client = await connectHttp(new URL('/mcp', server.http), token ?? 'agent');
  let newest = FIRST_NEW;
  const call = async (name: string, args: Data, by: Client = agent): Promise<Data> => {
    const answer = await by.callTool({ name, arguments: args });
    const { data } = (answer.structuredContent ?? {}) as { data?: Data };
    if (answer.isError || !data) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    return data;
  };
  return {
    anvil,
    xgr,
    server,
    browser,
    call,
    /** A browser of its own with the wallet of the n-th account; without a number, of one that nobody else has. */
    async person(
      n: number = ++newest,
      options: { readonly chainId?: number; readonly knows?: (id: number) => boolean } = {},
    ) {
      const watched = await openContext(browser);
      const { chainId = anvil.chainId, knows } = options;
      const wallet = new TestWallet({
        account: anvil.account(n),
        rpcUrl: anvil.url,
        chainId,
        ...(knows && { knows }),
      });
      await wallet.install(watched.context);
      return { ...watched, wallet };
    },
    /** Asks as the agent does until it says so. */
    until: (name: string, args: Data, done: (data: Data) => boolean, by?: Client): Promise<Data> =>
      until(() => call(name, args, by), done, { timeoutMs: 60_000, everyMs: 300 }),
    async close(): Promise<void> {
      await agent.close();
      await browser.close();
      await server.stop('SIGTERM');
      await xgr.stop();
      await anvil.stop();
    },
  };
}
