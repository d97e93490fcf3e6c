/** review:H6: a page of another server in a real browser, with nothing but a handle. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectHttp } from '../kit/mcp-clients.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { B2 } from '../operations/support/examples.js';
import { launchBrowser, openContext } from './support/browser.js';

let workbench: Server;
let stranger: Server;
let server: ServerProcess;
let browser: Browser;
const urlOf = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

async function site(): Promise<Server> {
  const pages = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end('<h1>Workbench</h1>'),
  );
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  return pages;
}

beforeAll(async () => {
  [workbench, stranger, browser] = await Promise.all([site(), site(), launchBrowser()]);
  const env = { MCP_XDALA_BUNDLE_DEPLOY_BASE_URL: `${urlOf(workbench)}/import` };
  server = await startServerProcess({ env });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  workbench?.close();
  stranger?.close();
});

/** What the page is given when it calls: a status, or that the browser kept it from the answer. */
const call = async (page: Awaited<ReturnType<typeof openContext>>['page'], url: string, body?: object) =>
  page.evaluate(
    async ([at, json]) => {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: json ?? '' };
      const answer = await fetch(at ?? '', json === undefined ? {} : post).catch(() => undefined);
      return answer ? { status: answer.status, body: await answer.text() } : 'kept from it';
    },
    [url, body && JSON.stringify(body)],
  );

it('review:H6 reads and posts; a page of any other server does neither', { timeout: 60_000 }, async () => {
  const agent = await connectHttp(new URL('/mcp', server.http), 'agent');
  const made = await agent.callTool({
    name: 'create_xdala_bundle_deploy_handoff',
    arguments: { network: 'testnet', chainId: 1879, bundle: B2() },
  });
  const { data } = made.structuredContent as { data: { xdalaUrl: string; fetchUrl: string; handle: string } };
  expect(data.xdalaUrl).toBe(`${urlOf(workbench)}/import/${data.handle}`);
  const fetchUrl = new URL(new URL(data.fetchUrl).pathname, server.http).href;

  const { page } = await openContext(browser);
  await page.goto(data.xdalaUrl);
  const read = await call(page, fetchUrl);
  expect(read).toMatchObject({ status: 200, body: expect.stringContaining(data.handle) });
  expect(await call(page, `${fetchUrl}/status`, { status: 'opened' })).toMatchObject({ status: 200 });
  // An error can be read, too.
  expect(await call(page, `${fetchUrl}/status`, { status: 'deployed' })).toMatchObject({ status: 409 });
  expect(await call(page, new URL('/health', server.http).href)).toBe('kept from it');

  const { page: other } = await openContext(browser);
  await other.goto(urlOf(stranger));
  expect(await call(other, fetchUrl)).toBe('kept from it');
  expect(await call(other, `${fetchUrl}/status`, { status: 'cancelled' })).toBe('kept from it');
  const look = await agent.callTool({
    name: 'get_xdala_bundle_deploy_handoff',
    arguments: { handle: data.handle },
  });
  expect(look.structuredContent).toMatchObject({ data: { status: 'opened' } });
  await agent.close();
});
