/** Behind one RPC may be several nodes. One that stands behind leaves the newest lines of a log out, and does not say so. */
import type { Hex } from 'viem';
import { afterAll, beforeAll, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { deploySafe, type TestSafe } from '../kit/smart-accounts.js';
import { type RpcFault, startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';
import { watchedWorld } from './support/asked.js';

let anvil: Anvil;
let rpc: XgrRpc;
let safe: TestSafe;
let world: Awaited<ReturnType<typeof watchedWorld>>;

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
  safe = await deploySafe(anvil);
  await anvil.client.setBalance({ address: safe.address, value: 10n ** 18n });
  await anvil.mine();
  world = await watchedWorld(anvil, { url: rpc.url, singletons: [safe.singleton] });
});
afterAll(async () => {
  await world?.close();
  await rpc?.stop();
  await anvil?.stop();
});

/** The log as it was before the payment. */
const oldLog: RpcFault = ({ method, id }, response) => {
  if (method !== 'eth_getLogs') return false;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: [] }));
  return true;
};

it('review:E1 what the newest lines of a log do not show is not called not signed', async () => {
  const call = { to: anvil.account(1).address as Hex, value: 5n };
  const request = await world.request(safe.address, [call]);
  await request.ask();
  rpc.setFault(oldLog);
  const signed = safe.signed(call, 0);
  const carrier = await safe.execute(signed);
  await request.post({ status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' });
  world.clock.now += 11 * 60_000;
  await request.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
  rpc.setFault(undefined);
  await anvil.mine(3);
  await request.until({ status: 'completed', effect: 'done', claim: { source: 'logs', carrier } });
});
