/** A server that was only started: no RPC, no public node, nothing set. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectHttp } from '../kit/mcp-clients.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { launchBrowser, openContext } from './support/browser.js';

let server: ServerProcess;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startServerProcess(), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const guide = readFileSync(new URL('../../docs/guide/operations.md', import.meta.url), 'utf8');
const [, example = ''] = /<!-- example: session start -->\n\n```json\n(.*?)\n```/s.exec(guide) ?? [];

const name = 'create_xdala_session_start_handoff';

it('review:H4 the example of the guide comes to the point of signing', { timeout: 60_000 }, async () => {
  const agent = await connectHttp(new URL('/mcp', server.http), 'agent');
  const made = await agent.callTool({ name, arguments: JSON.parse(example) });
  const { data } = made.structuredContent as { data: { xdalaUrl: string } };
  const { page, problems } = await openContext(browser);
  await page.goto(data.xdalaUrl);
  await page.getByText('INV-7', { exact: true }).first().waitFor();
  await page.getByText('HANDOVER_PUBLIC_RPC_URL_1879').first().waitFor();
  await page.getByText('It could not be read who may start this process.').waitFor();
  await page.getByText('this server has no RPC for the chain').waitFor({ state: 'attached' });
  expect(problems).toEqual([]);
  await agent.close();
});

it('review:H7 a request that holds [redacted] as a value is not signed', { timeout: 60_000 }, async () => {
  const agent = await connectHttp(new URL('/mcp', server.http), 'agent');
  const args = JSON.parse(example) as { request: { sessions: { payload: object }[] } };
  for (const session of args.request.sessions) session.payload = { InvoiceId: '[redacted]' };
  const made = await agent.callTool({ name, arguments: args });
  const { data } = made.structuredContent as { data: { xdalaUrl: string } };
  const { page } = await openContext(browser);
  await page.goto(data.xdalaUrl);
  await page.getByText('This page was not given the secret values of the request').first().waitFor();
  expect(await page.getByRole('button', { name: 'Sign the permit and start' }).count()).toBe(0);
  await agent.close();
});
