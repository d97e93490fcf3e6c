/** Addresses that a webhook must not reach, in all the ways in which they can be written. */
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../packages/server/src/config/configuration.js';
import { postWebhook } from '../../packages/server/src/effects/webhooks/post-webhook.js';
import { isAllowedAddress } from '../../packages/server/src/effects/webhooks/public-address.js';
import { resolveTarget } from '../../packages/server/src/effects/webhooks/resolve-target.js';
import { WebhookEventType } from '../../packages/server/src/effects/webhooks/types.js';
import { SECRET, startReceiver } from './receiver.js';

const strict = { allowLoopback: false };
const dev = { allowLoopback: true };

const INSIDE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:c0a8:0101',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001::1',
  '2001:db8::1',
  '100::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];

const OUTSIDE = [
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
];

describe('addresses', () => {
  it.each(INSIDE)('%s is not called', (ip) => expect(isAllowedAddress(ip, strict)).toBe(false));
  it.each(OUTSIDE)('%s is', (ip) => expect(isAllowedAddress(ip, strict)).toBe(true));
  it('in dev mode loopback is, and nothing else of the inside', () => {
    const allowed = INSIDE.filter((ip) => isAllowedAddress(ip, dev));
    expect(allowed.every((ip) => /127|7f00|^::1$/.test(ip))).toBe(true);
    expect(allowed).toContain('127.0.0.1');
    expect(allowed).not.toContain('169.254.169.254');
  });
});

describe('URLs', () => {
  it.each([
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://①②⑦.0.0.1/',
  ])('%s is refused', async (url) => {
    expect(await resolveTarget(new URL(url), strict)).toBe('the address is not a public one');
  });

  it('a name is refused when one of its addresses is inside', async () => {
    const resolve = async () => [{ address: '93.184.216.34' }, { address: '10.0.0.1' }];
    expect(await resolveTarget(new URL('https://mixed.example/'), strict, resolve)).toContain(
      'not a public one',
    );
    expect(await resolveTarget(new URL('https://localhost/'), strict)).toContain('not a public one');
  });
});

describe('rebinding', () => {
  it('the address that was checked is the one that is called, whatever the name means a moment later', async () => {
    const { received, port, close } = await startReceiver();
    const answers = [[{ address: '127.0.0.1' }], [{ address: '169.254.169.254' }]];
    let asked = 0;
    const result = await postWebhook(
      {
        id: 'e',
        url: `http://rebinding.invalid:${port}/`,
        events: new Set(Object.values(WebhookEventType)),
        tenant: 'default',
        sign: () => 'v1,x',
      },
      {
        id: 'msg_1',
        type: 'handoff.offered',
        at: 0,
        tenant: 'default',
        data: { handoffId: 'x', macpSessionId: 'x', from: 'a', to: 'b', status: 'pending' },
      },
      {
        rules: dev,
        now: Date.now,
        timeoutMs: 2_000,
        userAgent: 'test',
        signal: new AbortController().signal,
        resolve: async () => answers[asked++] ?? [],
      },
    );
    await close();
    expect(result).toEqual({ ok: true });
    expect(asked).toBe(1);
    // The name stays what the receiver is called by.
    expect(received[0]?.headers.host).toBe(`rebinding.invalid:${port}`);
  });
});

describe('configuration', () => {
  const read = (env: Record<string, string>, isDev = false) =>
    readConfiguration(
      {
        MACP_MEMORY_ONLY: '1',
        ...(isDev ? {} : { MACP_ALLOW_INSECURE: '1', MACP_AUTH_TOKENS_JSON: TOKENS }),
        ...env,
      },
      isDev ? { dev: true } : {},
    ).webhooks;
  const TOKENS = '[{"token":"t","sender":"a"}]';
  const HANDOVER_WEBHOOK_SECRET = SECRET;

  it('takes https everywhere, http on this machine in dev mode', () => {
    expect(read({ HANDOVER_WEBHOOK_URL: 'https://example.com/x', HANDOVER_WEBHOOK_SECRET })).toHaveLength(1);
    expect(
      read({ HANDOVER_WEBHOOK_URL: 'http://127.0.0.1:1/x', HANDOVER_WEBHOOK_SECRET }, true),
    ).toHaveLength(1);
  });

  it.each([
    [
      'http without dev mode',
      { HANDOVER_WEBHOOK_URL: 'http://127.0.0.1:1/x', HANDOVER_WEBHOOK_SECRET },
      false,
    ],
    [
      'http elsewhere in dev mode',
      { HANDOVER_WEBHOOK_URL: 'http://example.com/', HANDOVER_WEBHOOK_SECRET },
      true,
    ],
    ['another protocol', { HANDOVER_WEBHOOK_URL: 'file:///etc/passwd', HANDOVER_WEBHOOK_SECRET }, true],
    ['a password in it', { HANDOVER_WEBHOOK_URL: 'https://u:p@example.com/', HANDOVER_WEBHOOK_SECRET }, true],
    ['no secret', { HANDOVER_WEBHOOK_URL: 'https://example.com/' }, true],
    [
      'a short secret',
      { HANDOVER_WEBHOOK_URL: 'https://example.com/', HANDOVER_WEBHOOK_SECRET: 'whsec_AAAA' },
      true,
    ],
    ['a secret without address', { HANDOVER_WEBHOOK_SECRET }, true],
    ['a file that is not there', { HANDOVER_WEBHOOKS_FILE: '/nowhere/webhooks.json' }, true],
  ])('refuses %s', (_name, env, isDev) => {
    expect(() => read(env, isDev)).toThrow(/HANDOVER_WEBHOOK/);
  });
});
