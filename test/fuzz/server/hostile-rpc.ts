/** A chain's RPC that knows its chain and else answers what a broken or malicious one might. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeText } from '@handover/evm';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import { Random } from '../values/random.js';

export const CHAIN_ID = 1879;

/** Until everything is prepared. */
const HONEST_AT_FIRST = 30;
const HASH = `0x${'a1'.repeat(32)}`;
const ADDRESS = `0x${'1'.repeat(40)}`;
const DOCUMENT = JSON.stringify({
  id: 'invoice_flow',
  structure: { Intake: { rule: ADDRESS, onValid: { spawns: ['Intake'] } } },
});

function right(method: string, params: Json): Json {
  const asked = Array.isArray(params) ? params : [];
  switch (method) {
    case 'eth_chainId':
      return `0x${CHAIN_ID.toString(16)}`;
    case 'eth_blockNumber':
      return '0x64';
    case 'eth_getBlockByNumber':
      return { number: asked[0] ?? '0x1', hash: HASH };
    case 'eth_getTransactionByHash':
      return {
        hash: asked[0] ?? HASH,
        from: ADDRESS,
        to: ADDRESS,
        value: '0x0',
        input: '0xa9059cbb',
        nonce: '0x1',
        chainId: '0x757',
        blockNumber: '0x10',
        blockHash: HASH,
      };
    case 'eth_getTransactionReceipt':
      return {
        transactionHash: asked[0] ?? HASH,
        status: '0x1',
        blockNumber: '0x10',
        blockHash: HASH,
        from: ADDRESS,
        to: ADDRESS,
        contractAddress: ADDRESS,
      };
    case 'eth_call':
      return `0x${encodeText(DOCUMENT)}`;
    case 'eth_getCode':
      return '0x6000';
    default:
      return true;
  }
}

/** The same server answers the same question in many ways, one after another. */
export async function startHostileRpc(): Promise<{ readonly url: string; close(): void }> {
  let answered = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const random = new Random('rpc', 0, answered++);
      const request = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: Json;
        method: string;
        params: Json;
      };
      const result = right(request.method, request.params);
      const isHonest = request.method === 'eth_chainId' || answered < HONEST_AT_FIRST || !random.oneIn(3);
      const given = isHonest ? result : random.oneIn(4) ? json(random) : mutateJson(random, result);
      const whole: Json = { jsonrpc: '2.0', id: request.id, result: given };
      const status = isHonest || !random.oneIn(6) ? 200 : random.pick([204, 301, 404, 429, 500]);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
        isHonest
          ? JSON.stringify(whole)
          : jsonText(random, random.oneIn(6) ? mutateJson(random, whole) : whole),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => server.close(() => undefined).closeAllConnections(),
  };
}
