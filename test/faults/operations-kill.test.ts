/** A page and its agent go on over a server that is killed after every post: each time the record is what it was. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startAnvil } from '../kit/anvil.js';
import { handover } from '../kit/handover-command.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { valueIn } from '../kit/mcp-results.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { until } from '../kit/until.js';
import { B1, O1 } from '../operations/support/examples.js';
import { secretIn, type Wire } from '../operations/support/world.js';

const anvil = await startAnvil({ autoMine: true });
const folder = mkdtempSync(join(tmpdir(), 'handover-kill-'));
const env = {
  [`HANDOVER_RPC_URL_${anvil.chainId}`]: anvil.url,
  HANDOVER_CONFIRMATIONS: '1',
};
let server: ServerProcess = await startServerProcess({ dataDir: folder, env });
afterAll(async () => {
  await server.stop('SIGKILL');
  await anvil.stop();
  rmSync(folder, { recursive: true, force: true });
});

const person = anvil.account(1);
const TO = `0x${'4'.repeat(40)}` as const;

async function tool(name: string, args: object): Promise<Wire> {
  const client = await connectHttp(new URL('/mcp', server.http), 'alice');
  const result = (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Wire;
  await client.close();
  return valueIn(result);
}

async function http(path: string, authorization: string, body?: object): Promise<Wire> {
  const answer = await fetch(new URL(path, server.http), {
    method: body ? 'POST' : 'GET',
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: await answer.json() };
}

/** A record, the holder of its link, and the views of both sides. */
function holding(path: string, secret: string, look: () => Promise<Wire>) {
  const get = () => http(path, `Handoff ${secret}`);
  const views = async () => ({ page: (await get()).json, agent: await look() });
  const post = async (name: string, body: object, authorization = `Handoff ${secret}`): Promise<Wire> => {
    const answer = await http(`${path}/${name}`, authorization, body);
    expect([answer.status, answer.json], JSON.stringify(body)).toEqual([200, expect.anything()]);
    // What was claimed is settled before anything is compared: the chain would change it at any moment.
    await until(get, ({ json }) => json.steps.every(({ status }: Wire) => status !== 'submitted'));
    const before = await views();
    await server.stop('SIGKILL');
    server = await startServerProcess({ dataDir: folder, env });
    expect(await views(), `after ${JSON.stringify(body)}`).toEqual(before);
    return answer.json;
  };
  return { get, post };
}

describe('review:1.11.10 kill -9 after every post', () => {
  it('of a transaction', { timeout: 120_000 }, async () => {
    const txRequest = { to: TO, value: '5', data: '0x' };
    const steps = [1, 2].map((n) => ({ label: `Pay ${n}`, txRequest }));
    const made = await tool('create_operation_handoff', {
      ...O1(),
      chainId: anvil.chainId,
      steps,
      ttlSeconds: 600,
    });
    const { get, post } = holding(`/api/operations/${made.id}`, secretIn(made.operationUrl), () =>
      tool('get_operation_status', { operationId: made.id }),
    );
    await post('status', { status: 'opened' });
    await post('status', { status: 'wallet_connected', account: person.address });
    const asked = { status: 'tx_requested', account: person.address };
    const { ask } = await post('status', { ...asked, stepId: 'step_1' });
    const txHash = await anvil.client.sendTransaction({ account: person, to: TO, value: 5n, data: '0x' });
    await anvil.mine(3);
    await post('status', { status: 'tx_submitted', stepId: 'step_1', txHash }, `Ask ${ask.token}`);
    const second = await post('status', { ...asked, stepId: 'step_2' });
    const failed = { status: 'failed', stepId: 'step_2', stepStatus: 'failed' };
    await post('status', { ...failed, answer: 'unclear', walletCode: -32_003 }, `Ask ${second.ask.token}`);
    expect((await post('status', { status: 'cancelled' })).effect).toBe('unknown');
    await post('status', { ...failed, answer: 'refused', walletCode: 4001 }, `Ask ${second.ask.token}`);
    expect((await get()).json).toMatchObject({ status: 'partial', effect: 'partial', receipt: { no: 1 } });
  });

  it('of a bundle', { timeout: 120_000 }, async () => {
    const args = { network: 'testnet', chainId: 77, bundle: B1(), ttlSeconds: 600 };
    const made = await tool('create_xdala_bundle_deploy_handoff', args);
    const { get, post } = holding(`/api/bundle-deploy/${made.handle}`, secretIn(made.xdalaUrl), () =>
      tool('get_xdala_bundle_deploy_result', { handle: made.handle }),
    );
    await post('status', { status: 'opened' });
    await post('status', { status: 'imported' });
    const [{ id }] = (await get()).json.steps;
    const { ask } = await post('status', { stepId: id, stepStatus: 'requested', account: person.address });
    await post('status', { status: 'cancelled' });
    const refused = {
      status: 'failed',
      stepId: id,
      stepStatus: 'failed',
      answer: 'refused',
      walletCode: 4001,
    };
    await post('status', refused, `Ask ${ask.token}`);
    expect((await get()).json).toMatchObject({ status: 'cancelled', effect: 'none' });
  });

  it('and the log is whole', async () => {
    await server.stop('SIGKILL');
    expect(await handover(['verify', folder]).exited).toBe(0);
  });
});
