/**
 * One RPC that never answers costs its own chain and nobody else. What is counted are the requests that each RPC gets,
 * never the time.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createChainReader } from '../../packages/server/src/chain/chain-reader.js';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { type ChainNode, startChainNode } from '../kit/chain-node.js';
import { until } from '../kit/until.js';
import { openWorld, secretIn, type Wire, type World } from '../operations/support/world.js';

const FROM = `0x${'33'.repeat(20)}`;
const TO = `0x${'11'.repeat(20)}`;
const DATA = '0xa9059cbb';
const AT_ONCE = fixedLimits.chainRequestsAtOnce.value;
const PAUSE_MS = 400;
const READ = { xrc137Address: TO, chainId: 0 };

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function node(chainId: number): Promise<ChainNode> {
  const started = await startChainNode(chainId);
  closing.push(() => started.stop());
  return started;
}

async function world(options: Parameters<typeof openWorld>[0]): Promise<World> {
  const opened = await openWorld(options);
  closing.push(() => opened.close());
  return opened;
}

/** An agent makes an operation, and its person claims to have sent the transaction. */
async function claim({ tool, api }: World, agent: string, { chainId, send }: ChainNode) {
  const { data } = await tool(agent, 'create_operation_handoff', {
    type: 'transfer',
    network: 'test',
    chainId,
    steps: [{ id: 's', txRequest: { from: FROM, to: TO, data: DATA } }],
  });
  const txHash = send({ from: FROM, to: TO, data: DATA });
  const post = async (body: object) => {
    const secret = secretIn(data.operationUrl);
    const { status, text } = await api(`/api/operations/${data.id}/status`, { secret, body });
    expect([status, text]).toEqual([200, expect.any(String)]);
  };
  await post({ status: 'opened' });
  await post({ status: 'tx_requested', stepId: 's', account: FROM });
  await post({ status: 'tx_submitted', stepId: 's', txHash });
  const status = async (): Promise<Wire> =>
    (await tool(agent, 'get_operation_status', { operationId: data.id })).data.status;
  return { txHash, status, isDone: () => until(status, (word) => word === 'completed') };
}

/** Gives up no request while a test runs, so that what is counted does not depend on how long it takes. */
const patientReader = (...nodes: readonly ChainNode[]) =>
  createChainReader(
    { rpcs: new Map(nodes.map(({ chainId, url }) => [chainId, url])) },
    { rpc: { timeoutMs: 300_000, maxBytes: 100_000, retryAfterMs: [] } },
  );

const hashesAskedOf = ({ asked }: ChainNode): readonly unknown[] =>
  asked.filter(({ method }) => method === 'eth_getTransactionByHash').map(({ params }) => params[0]);

describe('an RPC that never answers', () => {
  it('hardening:H5 a silent RPC starves no other chain, and a read says quickly what could not be read', async () => {
    const [silent, well] = [await node(1_001), await node(1_002)];
    silent.fallSilent();
    const opened = await world({ chains: patientReader(silent, well) });
    await Promise.all(Array.from({ length: 8 }, () => claim(opened, 'mallory', silent)));
    const mine = await claim(opened, 'alice', well);
    await mine.isDone();
    // The eight claims before hers made no more requests than may be under way, and they have not been given up yet.
    expect(silent.asked.length).toBeLessThanOrEqual(AT_ONCE);

    const read = await opened.tool('alice', 'read_xrc137_rule_json', { ...READ, chainId: 1_001 });
    expect(read.data).toMatchObject({ errorCode: 'HANDOFF_FAILED' });
    expect(read.data.error).toMatch(/the chain could not be read: the RPC did not answer/);
    expect(silent.asked.length).toBeLessThanOrEqual(AT_ONCE);
    silent.speak();
  });

  it('after failures in a row it is asked once a pause, reads are refused without asking, and all is verified when it speaks', async () => {
    const node1 = await node(1_003);
    node1.fallSilent();
    const chains = createChainReader(
      { rpcs: new Map([[1_003, node1.url]]) },
      {
        rpc: { timeoutMs: 100, maxBytes: 100_000, retryAfterMs: [] },
        gate: {
          atOnce: AT_ONCE,
          waiting: 256,
          waitingOfOne: 256,
          failuresInARow: 3,
          firstPauseMs: PAUSE_MS,
          maxPauseMs: PAUSE_MS,
        },
      },
    );
    const gate = chains.gates.get('1003');
    const opened = await world({ chains });
    const claims = [];
    for (let i = 0; i < 12; i += 1) claims.push(await claim(opened, 'alice', node1));
    await until(() => gate?.isPaused);
    const since = performance.now();
    const before = node1.asked.length;
    expect(before).toBeLessThanOrEqual(3 + AT_ONCE);
    for (let i = 0; i < 25; i += 1) {
      const { data } = await opened.tool('bob', 'read_xrc137_rule_json', { ...READ, chainId: 1_003 });
      expect(data.errorCode).toBe('HANDOFF_FAILED');
    }
    // Whatever was asked in the meantime was a probe, one for each pause.
    const probes = node1.asked.slice(before).map(({ method }) => method);
    expect(new Set(probes)).toEqual(new Set(probes.length > 0 ? ['eth_chainId'] : []));
    expect(probes.length).toBeLessThanOrEqual(Math.ceil((performance.now() - since) / PAUSE_MS) + 1);
    node1.speak();
    for (const { isDone } of claims) await isDone();
    expect(gate?.isPaused).toBe(false);
  });

  it('one agent with many claims delays the one claim of another by a look, not by all of them', async () => {
    const busy = await node(1_004);
    const opened = await world({ chains: patientReader(busy) });
    busy.fallSilent();
    await Promise.all(Array.from({ length: 10 }, () => claim(opened, 'many', busy)));
    const one = await claim(opened, 'one', busy);
    const before = new Set(hashesAskedOf(busy)).size;
    busy.speak();
    await one.isDone();
    const order = [...new Set(hashesAskedOf(busy))];
    expect(order.indexOf(one.txHash) - before).toBeLessThanOrEqual(2 * fixedLimits.chainLooksAtOnce.value);
    expect(order.length).toBeGreaterThan(0);
  });

  it('shows in the metrics of a configured server', async () => {
    const [silent, well] = [await node(1_005), await node(1_006)];
    silent.fallSilent();
    const opened = await world({
      env: { HANDOVER_RPC_URL_1005: silent.url.href, HANDOVER_RPC_URL_1006: well.url.href },
    });
    for (let i = 0; i < 3; i += 1) await claim(opened, 'mallory', silent);
    await (await claim(opened, 'alice', well)).isDone();
    const { text } = await opened.api('/metrics');
    expect(text).toMatch(/^handover_chain_requests_total\{rpc="1006",outcome="answered"\} [1-9]/m);
    expect(text).toMatch(/^handover_chain_request_seconds_count\{rpc="1006"\} [1-9]/m);
    expect(text).toMatch(/^handover_chain_paused\{rpc="1006"\} 0$/m);
    expect(text).toMatch(/^handover_chain_requests_waiting\{rpc="1005"\} \d+$/m);
    expect(text).toMatch(/^handover_chain_records_watched 3$/m);
    silent.speak();
  });
});
