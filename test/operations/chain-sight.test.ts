/** RPCs that are away or serve another chain: the log, agents and pages say so before anything is signed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { type LogFields, silentLog } from '../../packages/server/src/observe/log.js';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { openWorld, secretIn, type Wire, type World } from './support/world.js';

/** An RPC that can be away: then it hangs up. */
async function startRpc(chainId: number) {
  const asked: string[] = [];
  const rpc = { away: false, asked, url: '' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (rpc.away) return void request.socket.destroy();
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
      asked.push(method);
      const result = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : '0x64';
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  rpc.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return rpc;
}

/** 71 answers, 72 is away, 73 serves 74. */
async function openChains() {
  const [good, away, other] = [await startRpc(71), await startRpc(72), await startRpc(74)];
  away.away = true;
  const lines: (LogFields & { readonly event: string })[] = [];
  const write = (event: string, fields: LogFields = {}) => void lines.push({ event, ...fields });
  const env = {
    HANDOVER_RPC_URL_71: good.url,
    HANDOVER_RPC_URL_72: away.url,
    HANDOVER_RPC_URL_73: other.url,
    XGR_RPC_URL: away.url,
  };
  const world = await openWorld({ env, log: { ...silentLog, warn: write, info: write } });
  afterAll(() => world.close());
  const troubles = () => lines.filter(({ event }) => event === 'operations.chain_trouble');
  return { world, good, away, lines, troubles };
}

const chains = await openChains();
const { world, good, away } = chains;

async function create(chainId: number, on: World = world): Promise<Wire> {
  const { data, isError } = await on.tool('alice', 'create_operation_handoff', {
    ...O1(),
    chainId,
    ttlSeconds: 3_600,
  });
  if (isError) throw new Error(JSON.stringify(data));
  const warned = (data.warnings ?? []).filter(({ code }: Wire) => code !== 'SAME_AS');
  return { ...data, codes: warned.map(({ code }: Wire) => code), warned };
}

const page = async ({ id, operationUrl }: Wire) =>
  (await world.api(`/api/operations/${id}`, { secret: secretIn(operationUrl) })).json;

describe('review:Y5 an RPC that is away, or of another chain', () => {
  it('review:Y5 each is told in one line of the log at the start, with what to do, and never with its URL', async () => {
    await until(
      async () => chains.troubles().length,
      (count) => count >= 3,
    );
    const told = chains.troubles().map(({ chainId, code, message }) => ({ chainId, code, message }));
    expect(told).toHaveLength(3);
    expect(told).toContainEqual({
      chainId: 72,
      code: 'RPC_UNAVAILABLE',
      message: expect.stringContaining('HANDOVER_RPC_URL_72'),
    });
    expect(told).toContainEqual({
      chainId: 73,
      code: 'RPC_WRONG_CHAIN',
      message: expect.stringContaining('HANDOVER_RPC_URL_73'),
    });
    expect(told).toContainEqual({
      chainId: undefined,
      code: 'RPC_UNAVAILABLE',
      message: expect.stringContaining('XGR_RPC_URL'),
    });
    expect(JSON.stringify(chains.lines)).not.toContain(away.url);
  });

  it('review:Y5 create says what it means for the agent, and the page has it, too', async () => {
    const silent = await create(72);
    expect(silent).toMatchObject({ watched: false, chainSight: 'silent', codes: ['CHAIN_SILENT'] });
    expect(silent.warned[0].message).toMatch(/not verified until it answers/);
    // The rules of the record are those of a chain that is read: the next step waits for a receipt.
    expect(await page(silent)).toMatchObject({ watched: true, chainSight: 'silent' });
    const differs = await create(73);
    expect(differs).toMatchObject({ watched: false, chainSight: 'another_chain', codes: ['CHAIN_DIFFERS'] });
    expect(await page(differs)).toMatchObject({ chainSight: 'another_chain' });
    expect((await world.api('/health')).json.chains).toMatchObject([{ chainId: 72 }, { chainId: 73 }]);
  });

  it('review:Y5 one that answers is watched, and a create asks it for its head alone', async () => {
    await create(71);
    const before = good.asked.length;
    expect(await create(71)).toMatchObject({ watched: true, chainSight: 'watched', codes: [] });
    expect(good.asked.slice(before)).toEqual(['eth_blockNumber']);
  });

  it('review:Y5 without an RPC it is none', async () => {
    const other = await openWorld();
    const made = await create(71, other);
    expect(made).toMatchObject({ watched: false, chainSight: 'none', codes: ['UNWATCHED'] });
    await other.close();
  });

  it('review:Y5 when it answers again, the next create and the pages say so', async () => {
    const made = await create(72);
    away.away = false;
    await until(
      () => create(72),
      ({ watched }) => watched === true,
    );
    expect(await page(made)).toMatchObject({ chainSight: 'watched' });
    expect(chains.lines).toContainEqual({ event: 'operations.chain_answers', chainId: 72 });
  });

  it('review:Y5 a page that is open hears of it; however often it asks, the RPC is asked once a minute', async () => {
    const made = await create(71);
    const before = good.asked.length;
    for (let i = 0; i < 5; i++) await page(made);
    expect(good.asked.length).toBe(before);
    world.clock.now += 61_000;
    for (let i = 0; i < 5; i++) await page(made);
    await until(
      async () => good.asked.length,
      (count) => count > before,
    );
    expect(good.asked.slice(before)).toEqual(['eth_blockNumber']);
    good.away = true;
    world.clock.now += 61_000;
    await until(
      () => page(made),
      ({ chainSight }) => chainSight === 'silent',
    );
  });
});
