/**
 * The server calls out to addresses that the operator configured, and nowhere else. A listener on this machine stands for
 * the inside that must not be reached: what counts is how many connections it sees, whatever the deliverer reports.
 */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChainReader } from '../../packages/server/src/chain/chain-reader.js';
import { readConfiguration } from '../../packages/server/src/config/configuration.js';
import type { Resolve } from '../../packages/server/src/effects/webhooks/resolve-target.js';
import { WebhookEventType } from '../../packages/server/src/effects/webhooks/types.js';
import { Webhooks } from '../../packages/server/src/effects/webhooks/webhooks.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { SECRET, startReceiver } from '../effects/receiver.js';
import { offer, start } from '../kit/envelopes.js';
import { until } from '../kit/until.js';
import { createWorld } from '../kit/world.js';

let connections = 0;
let inside: number;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  inside = (listener.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => listener.close(resolve)));
beforeEach(() => {
  connections = 0;
});

interface Told {
  readonly reason: string | undefined;
  readonly lookUps: readonly string[];
}

/** Something happens that the address is told of; resolves when the only attempt has ended. */
async function tell(
  url: string,
  {
    dev = false,
    resolve,
    isTold = () => false,
  }: { dev?: boolean; resolve?: Resolve; isTold?: () => boolean } = {},
): Promise<Told> {
  const lookUps: string[] = [];
  const runtime = createWorld({ clock: { now: Date.now() } });
  const webhooks = new Webhooks({
    engine: runtime.engine,
    endpoints: [
      {
        id: 'e1',
        url,
        events: new Set([WebhookEventType.Offered]),
        tenant: 'default',
        sign: () => 'v1,x',
      },
    ],
    rules: { allowLoopback: dev },
    log: silentLog,
    now: Date.now,
    version: 'test',
    schedule: { firstMs: 1, maxMs: 1, attempts: 1 },
    timeoutMs: 2_000,
    ...(resolve && {
      resolve: (host) => {
        lookUps.push(host);
        return resolve(host);
      },
    }),
  });
  await webhooks.start();
  await runtime.send(start('outbound-test-session-0001'));
  await runtime.send(offer('outbound-test-session-0001', 'h1', 'a'));
  await until(async () => (await runtime.state('outbound-test-session-0001')) !== undefined);
  let pended = false;
  await until(() => {
    pended ||= webhooks.pending > 0 || isTold();
    return (pended || webhooks.dead.length > 0) && webhooks.pending === 0;
  });
  const [letter] = webhooks.dead;
  await webhooks.close();
  await runtime.engine.close();
  return { reason: letter?.reason, lookUps };
}

/** Not every machine resolves every spelling of its own name. */
const NOT_PUBLIC = expect.stringMatching(/^the (address is not a public one|name cannot be resolved)$/);

describe('the inside', () => {
  const FORMS = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'localhost.',
    'LOCALHOST',
  ];
  it.each(FORMS)('written as %s is not reached', async (host) => {
    expect(await tell(`https://${host}:${inside}/`)).toMatchObject({ reason: NOT_PUBLIC });
    expect(connections).toBe(0);
  });

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    '100.100.100.200',
  ])('metadata service %s is not asked', async (host) => {
    expect(await tell(`https://${host}/latest/meta-data/`)).toMatchObject({ reason: NOT_PUBLIC });
  });

  it('is not reached behind a name or a user that looks like another address', async () => {
    const to =
      (address: string): Resolve =>
      async () => [{ address }];
    const named = ['inside.example', 'inside.example.', 'in--side.example', '1.1.1.1.inside.example'];
    for (const host of named)
      expect(await tell(`https://${host}:${inside}/`, { resolve: to('127.0.0.1') })).toMatchObject({
        reason: NOT_PUBLIC,
      });
    for (const user of ['1.1.1.1', '1.1.1.1:443', 'public.example'])
      expect(await tell(`https://${user}@127.0.0.1:${inside}/`)).toMatchObject({ reason: NOT_PUBLIC });
    expect(connections).toBe(0);
  });

  it('is not reached by a name with one address outside', async () => {
    const resolve: Resolve = async () => [{ address: '93.184.216.34' }, { address: '127.0.0.1' }];
    const told = await tell(`https://mixed.example:${inside}/`, { resolve });
    expect([told, connections]).toEqual([{ reason: NOT_PUBLIC, lookUps: ['mixed.example'] }, 0]);
  });

  it('is not reached by a name that means another address after the check', async () => {
    const receiver = await startReceiver();
    const answers = ['127.0.0.1', '127.0.0.2', '169.254.169.254'];
    const resolve: Resolve = async () => [{ address: answers.shift() ?? '' }];
    const told = await tell(`http://rebinding.invalid:${receiver.port}/`, {
      ...{ dev: true, resolve, isTold: () => receiver.received.length > 0 },
    });
    await receiver.close();
    expect(told).toEqual({ reason: undefined, lookUps: ['rebinding.invalid'] });
    expect(receiver.received[0]?.headers.host).toBe(`rebinding.invalid:${receiver.port}`);
  });

  it.each([301, 302, 303, 307, 308])('is not reached by a redirect with %s', async (status) => {
    const location = `http://127.0.0.1:${inside}/`;
    const receiver = await startReceiver(() => ({ status, headers: { location } }));
    const told = await tell(receiver.url, { dev: true });
    await receiver.close();
    expect(told.reason).toBe(`answered ${status}`);
    expect([receiver.received.length, connections]).toEqual([1, 0]);
  });
});

describe('an RPC', () => {
  it('that redirects leads nowhere', async () => {
    const node = createHttpServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${inside}/` }).end();
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(node.address() as AddressInfo).port}/`);
    const reader = createChainReader(
      { rpcs: new Map([[1, url]]) },
      { rpc: { timeoutMs: 1_000, maxBytes: 1_000, retryAfterMs: [] } },
    );
    await expect((await reader.chain(1))?.blockNumber()).rejects.toThrow('the RPC cannot be reached');
    node.closeAllConnections();
    node.close();
    expect(connections).toBe(0);
  });
});

describe('only the operator', () => {
  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'gopher://127.0.0.1:70/',
    'javascript:0',
  ])('says where, and not %s', (url) => {
    const env = {
      MACP_MEMORY_ONLY: '1',
      MACP_ALLOW_INSECURE: '1',
      HANDOVER_WEBHOOK_URL: url,
      HANDOVER_WEBHOOK_SECRET: SECRET,
    };
    expect(() => readConfiguration(env)).toThrow(/HANDOVER_WEBHOOK_URL/);
  });
});
