/** What a person sees at the server's own address. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home } from '../cli/install/support.js';
import { canRunScripts } from '../docs/run-script.js';
import { serve } from '../kit/handover-command.js';
import type { HandoverProcess } from '../kit/handover-process.js';
import { installAxe, violations } from './support/axe.js';
import { launchBrowser, openContext } from './support/browser.js';

const run = promisify(execFile);
let server: HandoverProcess;
let browser: Browser;
let url: string;
beforeAll(async () => {
  server = serve(['--dev', '--memory-only']);
  url = (await server.ready()).http;
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it.each([
  ['a screen', 1_000, 'light'],
  ['a phone', 390, 'dark'],
] as const)('says on %s what it is and how to connect', async (_, width, colorScheme) => {
  const viewport = { width, height: 800 };
  const { context, page, requests, problems } = await openContext(browser, { viewport, colorScheme });
  await page.goto(url);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^Handover \d/);
  const lines = await page.locator('pre').allTextContents();
  expect(lines).toContainEqual(
    expect.stringContaining(`claude mcp add --transport http handover "${url}/mcp?toolsets=handoff" `),
  );
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/front-${width}.png` });
  await installAxe(page);
  expect((await violations(page)).map(({ id }) => id)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(requests.map((request) => request.url)).toEqual([`${url}/`]);
  expect(problems).toEqual([]);
  await context.close();
});

it('says the same to a program, as text, and its lines work', async () => {
  const answer = await fetch(url);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  const commands = [...text.matchAll(/^ {4}curl (\S+)$/gm)].map(([, address = '']) => address);
  expect(commands).toHaveLength(3);
  for (const address of commands) expect((await fetch(address)).status, address).toBe(200);
  expect(text).toMatch(/^ {4}gRPC: 127\.0\.0\.1:\d+$/m);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});

it.runIf(canRunScripts)(
  'names the doors of assistants and agents with lines that work',
  {
    timeout: 60_000,
  },
  async () => {
    const text = await (await fetch(url)).text();
    const line = (start: string) => /^ {4}(.*)$/m.exec(text.slice(text.indexOf(`    ${start}`)))?.[1] ?? '';
    const asked = await run('bash', ['-c', line(`curl ${url}/macp/v1/`)]);
    expect(JSON.parse(asked.stdout)).toMatchObject({ selected_protocol_version: '1.0' });
    const home = new Home();
    const [name, ...words] = line('handover install').split(' ');
    const installed = await home.run(...words, '--scope', 'project');
    expect([name, installed.code, installed.stderr]).toEqual(['handover', 0, '']);
    expect(home.read('work/shop/.mcp.json')).toContain(url);
  },
);

it('asks for a token where there are credentials, and names none', async () => {
  const env = { MACP_AUTH_TOKENS_JSON: '[{"token":"t0k3n","sender":"s"}]', MACP_ALLOW_INSECURE: '1' };
  const closed = serve(['--memory-only'], env);
  const text = await (await fetch((await closed.ready()).http)).text();
  expect(text).toContain('Bearer YOUR-TOKEN');
  expect(text).toContain('--token @YOUR-TOKEN-FILE');
  expect(text).not.toContain('t0k3n');
  await closed.stop();
});
