/** What a server is told about smart accounts, and tells about its chains, over real sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { openServer } from '../kit/server.js';
import { startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';
import { refuseTraces } from './support/asked.js';

let anvil: Anvil;
let rpc: XgrRpc;
beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
});
afterAll(async () => {
  await rpc?.stop();
  await anvil?.stop();
});

async function proofs(url: string, chainId = anvil.chainId): Promise<unknown> {
  const server = await openServer({ env: { [`HANDOVER_RPC_URL_${anvil.chainId}`]: url } });
  try {
    const read = async () => {
      const answer = await fetch(new URL(`/pages/chains/${chainId}.json`, server.httpUrl));
      return ((await answer.json()) as { proofs?: unknown }).proofs;
    };
    const first = await read();
    for (let i = 0; i < 5; i++) expect(await read()).toEqual(first);
    return first;
  } finally {
    await server.close(AbortSignal.timeout(1_000));
  }
}
const traces = () => rpc.asked.filter(({ method }) => method === 'debug_traceTransaction');

describe('the proofs of a chain', () => {
  it('review:V7 include traces where the RPC has them, which is asked once', async () => {
    expect(await proofs(rpc.url)).toEqual(['transaction', 'trace', 'safe_event', 'effects']);
    expect(traces()).toHaveLength(1);
  });

  it('review:V7 do not where it refuses', async () => {
    rpc.asked.length = 0;
    rpc.setFault(refuseTraces);
    expect(await proofs(rpc.url)).toEqual(['transaction', 'safe_event', 'effects']);
    expect(traces()).toHaveLength(1);
  });

  it('review:V7 are not told of a chain that the server does not read', async () => {
    expect(await proofs(rpc.url, 777)).toBeUndefined();
  });
});

it.each(['HANDOVER_ENTRYPOINTS_31337', 'HANDOVER_SAFE_SINGLETONS_31337'])(
  'review:2.1 %s that is no list of addresses keeps the server from starting',
  async (name) => {
    await expect((async () => openServer({ env: { [name]: '0x12' } }))()).rejects.toThrow(name);
  },
);
