/** An RPC that is down, slow, huge, lying or broken teaches nothing: never `matched`, and no error gives its address away. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChainReader } from '../../packages/server/src/chain/chain-reader.js';
import { checkSession } from '../../packages/server/src/chain/check-session.js';
import { checkTransaction } from '../../packages/server/src/chain/check-transaction.js';
import { READ_METHODS } from '../../packages/server/src/chain/methods.js';
import { ChainRefused, ChainUnavailable, type Hex } from '../../packages/server/src/chain/port.js';
import { proveContract } from '../../packages/server/src/chain/prove-contract.js';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { xrc137Creation } from '../kit/contracts.js';
import { type RpcFault, startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';

const LIMITS = { timeoutMs: 400, maxBytes: 200_000, retryAfterMs: [5] };
const KEY = 'a-key-in-the-path';

let anvil: Anvil;
let rpc: XgrRpc;
let hash: Hex;
let contract: Hex;
const expected = () => ({
  from: anvil.account(0).address,
  to: anvil.account(1).address,
  value: 1n,
  data: '0x',
});

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
  contract = (await anvil.deploy(0, xrc137Creation('{}'))).toLowerCase() as Hex;
  hash = await anvil.client.sendTransaction({
    account: anvil.account(0),
    to: anvil.account(1).address,
    value: 1n,
  });
  await anvil.mine(5);
});
afterEach(() => rpc.setFault(undefined));
afterAll(async () => {
  await rpc?.stop();
  await anvil?.stop();
});

/** Where nothing is silent: what answers late on a busy machine is not what is tested. */
const PATIENT = { ...LIMITS, timeoutMs: 20_000 };

async function clientAt(url: string, limits = LIMITS) {
  const client = await createChainReader(
    { rpcs: new Map([[anvil.chainId, new URL(`${url}/${KEY}`)]]) },
    { rpc: limits },
  ).chain(anvil.chainId);
  if (!client) throw new Error('no client');
  return client;
}

async function everything(url: string): Promise<readonly unknown[]> {
  const client = await clientAt(url);
  const owner = anvil.account(0).address;
  const outcomes = await Promise.allSettled([
    checkTransaction(client, hash, expected(), { confirmations: 3 }),
    proveContract(client, { address: contract, kind: 'xrc137', text: '{}', owner }, 3),
    checkSession(client, { owner, sessionId: '1' }),
  ]);
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.verdict : outcome.reason));
}

function expectNothingLearned(outcomes: readonly unknown[]): void {
  for (const outcome of outcomes) {
    if (outcome === 'pending') continue;
    expect(outcome).toBeInstanceOf(ChainUnavailable);
    const { message, cause } = outcome as Error;
    expect(message).not.toMatch(/127\.0\.0\.1|a-key/);
    expect(cause).toBeUndefined();
  }
}

const answerWith =
  (text: string, status = 200): RpcFault =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
    return true;
  };
const resultFor =
  (method: string, result: unknown): RpcFault =>
  (request, response) =>
    request.method === method &&
    answerWith(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }))(request, response);

const later: readonly [string, RpcFault][] = [
  ['is silent', () => true],
  ['hangs in the middle', (_request, response) => response.write('{"jsonrpc":') || true],
  ['hangs up', (_request, response) => Boolean(response.destroy())],
  ['answers too much', answerWith(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(300_000) }))],
  ['answers HTML', answerWith('<h1>hello</h1>')],
  ['answers nothing', answerWith('')],
  ['answers null', answerWith('null')],
  ['answers a list', answerWith('[{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]')],
  ['answers another request', answerWith('{"jsonrpc":"2.0","id":"x","result":"0x7a69"}')],
  ['is limited', answerWith('slow down', 429)],
  ['is broken', answerWith('oops', 503)],
  [
    'is syncing',
    (request, response) =>
      answerWith(`{"jsonrpc":"2.0","id":${request.id},"error":{"code":-32000,"message":"header not found"}}`)(
        request,
        response,
      ),
  ],
];

describe('an RPC that', () => {
  it('works proves all of it', async () => {
    rpc.setSession(anvil.account(0).address, '1', 'alive');
    expect(await everything(rpc.url)).toEqual(['matched', 'matched', 'matched']);
  });

  it.each(later)('%s', async (_name, fault) => {
    rpc.setFault(fault);
    expectNothingLearned(await everything(rpc.url));
    // And breaks only after it has said which chain it serves.
    rpc.setFault((request, response) => request.method !== 'eth_chainId' && fault(request, response));
    expectNothingLearned(await everything(rpc.url));
  });

  it('is not there', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expectNothingLearned(await everything(`http://127.0.0.1:${port}`));
  });

  it('sends elsewhere is not followed', async () => {
    let reached = 0;
    const elsewhere = createServer((_incoming, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as AddressInfo;
    rpc.setFault((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` });
      response.end();
      return true;
    });
    expectNothingLearned(await everything(rpc.url));
    expect(reached).toBe(0);
    elsewhere.close();
  });

  it('serves another chain is not believed', async () => {
    rpc.setFault(resultFor('eth_chainId', '0x1'));
    expectNothingLearned(await everything(rpc.url));
  });

  it.each([
    ['eth_getTransactionByHash', { hash: `0x${'12'.repeat(32)}` }],
    ['eth_getTransactionByHash', 'yes'],
    ['eth_getTransactionReceipt', { status: '0x1' }],
    ['eth_getTransactionReceipt', true],
    ['eth_blockNumber', 'many'],
    ['eth_blockNumber', `0x${'f'.repeat(64)}`],
    ['eth_getBlockByNumber', { number: '0x1', hash: `0x${'12'.repeat(32)}` }],
    ['eth_getBlockByNumber', null],
  ])('answers %s with %j', async (method, result) => {
    rpc.setFault(resultFor(method, result));
    const client = await clientAt(rpc.url);
    const [outcome] = await Promise.allSettled([
      checkTransaction(client, hash, expected(), { confirmations: 3 }),
    ]);
    expectNothingLearned([outcome.status === 'fulfilled' ? outcome.value.verdict : outcome.reason]);
  });

  it('fails once is asked again, and says again which chain it serves after a break', async () => {
    const client = await clientAt(rpc.url, PATIENT);
    await client.blockNumber();
    let failures = 1;
    rpc.setFault((request, response) => {
      if (request.method !== 'eth_blockNumber' || failures === 0) return false;
      failures -= 1;
      return Boolean(response.destroy());
    });
    await expect(client.blockNumber()).resolves.toBeGreaterThan(0);
    failures = 2;
    await expect(client.blockNumber()).rejects.toBeInstanceOf(ChainUnavailable);
    rpc.asked.length = 0;
    await client.blockNumber();
    expect(rpc.asked.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_blockNumber']);
    rpc.asked.length = 0;
    await client.blockNumber();
    expect(rpc.asked.map(({ method }) => method)).toEqual(['eth_blockNumber']);
  });
});

describe('an answer that is too much', () => {
  const deep = `${'{"calls":['.repeat(80)}1${']}'.repeat(80)}`;
  it.each([
    ['deep', deep],
    ['long', JSON.stringify('x'.repeat(300_000))],
  ])(
    'review:2.3 and too %s gives no trace, is asked for once, and does not close the RPC to others',
    async (_how, result) => {
      const client = await clientAt(rpc.url, PATIENT);
      rpc.setFault(
        (request, response) =>
          request.method === 'debug_traceTransaction' &&
          answerWith(`{"jsonrpc":"2.0","id":${request.id},"result":${result}}`)(request, response),
      );
      rpc.asked.length = 0;
      for (let i = 0; i < 4; i++) expect(await client.trace(hash)).toBeUndefined();
      expect(rpc.asked.filter(({ method }) => method === 'debug_traceTransaction')).toHaveLength(4);
      expect(await client.blockNumber()).toBeGreaterThan(0);
    },
  );
});

describe('the server only reads', () => {
  it('its list holds nothing that signs, sends or changes', () => {
    for (const method of READ_METHODS)
      expect(method).not.toMatch(/send(?!er)|sign|submit|validateData|account|_set/i);
  });

  it('asks for nothing outside of its list, and refuses to', async () => {
    rpc.asked.length = 0;
    const client = await clientAt(rpc.url);
    await everything(rpc.url);
    for (const method of [
      'eth_sendTransaction',
      'eth_sendRawTransaction',
      'eth_sign',
      'xgr_validateDataTransfer',
    ])
      await expect(client.request(method, [])).rejects.toBeInstanceOf(ChainRefused);
    const methods = new Set(rpc.asked.map(({ method }) => method));
    expect(methods.size).toBeGreaterThan(5);
    for (const method of methods) expect(READ_METHODS).toContain(method);
  });
});

describe('the default chain', () => {
  const settings = () => ({ rpcs: new Map<number, URL>(), xgrRpc: new URL(rpc.url) });

  it('is the one that XGR_RPC_URL serves, and stands for no other', async () => {
    const reader = createChainReader(settings(), { rpc: LIMITS });
    expect((await reader.defaultChain())?.chainId).toBe(anvil.chainId);
    expect((await reader.chain(anvil.chainId))?.chainId).toBe(anvil.chainId);
    expect(await reader.chain(1)).toBeUndefined();
  });

  it('cannot be named while that is down; a chain that is asked for stays unproven', async () => {
    rpc.setFault(answerWith('', 503));
    const reader = createChainReader(settings(), { rpc: LIMITS });
    await expect(reader.defaultChain()).rejects.toBeInstanceOf(ChainUnavailable);
    const client = await reader.chain(1);
    rpc.setFault(undefined);
    await expect(client?.blockNumber()).rejects.toBeInstanceOf(ChainUnavailable);
    expect(await reader.chain(1)).toBeUndefined();
  });

  it('is the only configured one; none among several, none among none', async () => {
    const at = (...ids: number[]) =>
      createChainReader({ rpcs: new Map(ids.map((id) => [id, new URL(rpc.url)])) }).defaultChain();
    expect((await at(5))?.chainId).toBe(5);
    expect(await at(5, 6)).toBeUndefined();
    expect(await at()).toBeUndefined();
  });
});
