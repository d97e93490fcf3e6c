/**
 * A node of a chain over real HTTP, with transactions in memory: enough for operations of one step to be verified. It
 * keeps every request, and can be silent: then it takes requests and answers none until it is told to.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NodeRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface NodeTransaction {
  readonly from: string;
  readonly to: string;
  readonly data: string;
}

export type ChainNode = Awaited<ReturnType<typeof startChainNode>>;

const FIRST_HEAD = 200;
/** Blocks on top of each transaction, so that it is deep at once. */
const DEPTH = 100;
const hex = (value: number): string => `0x${value.toString(16)}`;
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

export async function startChainNode(chainId: number) {
  const asked: NodeRequest[] = [];
  const transactions = new Map<string, NodeTransaction & { readonly block: number }>();
  let head = FIRST_HEAD;
  const held: (() => void)[] = [];
  let silent = false;

  const hashOf = (block: number): string => word(chainId * 1_000_000 + block);
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_chainId: () => hex(chainId),
    eth_blockNumber: () => hex(head),
    eth_getBlockByNumber: ([number]) => ({
      number,
      hash: hashOf(Number(number)),
      timestamp: hex(Math.floor(Date.now() / 1_000)),
    }),
    eth_getTransactionByHash: ([hash]) => {
      const found = transactions.get(String(hash));
      if (!found) return null;
      const { to, from, data, block } = found;
      const place = { blockNumber: hex(block), blockHash: hashOf(block) };
      return { hash, from, to, input: data, value: '0x0', nonce: '0x1', chainId: hex(chainId), ...place };
    },
    eth_getTransactionReceipt: ([hash]) => {
      const found = transactions.get(String(hash));
      if (!found) return null;
      const { to, from, block } = found;
      const place = { blockNumber: hex(block), blockHash: hashOf(block) };
      return { transactionHash: hash, status: '0x1', from, to, contractAddress: null, ...place };
    },
    eth_call: () => '0x',
    eth_getCode: () => '0x',
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as NodeRequest & { id: number };
      asked.push(request);
      const answer = () => {
        const result = answers[request.method]?.(request.params) ?? null;
        send(response, JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
      };
      if (silent) held.push(answer);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    chainId,
    url: new URL(`http://127.0.0.1:${port}`),
    asked,
    /** The hash of a transaction that is deep in the chain. */
    send(transaction: NodeTransaction): string {
      const hash = word(0xabc_0000 + chainId * 100_000 + transactions.size);
      transactions.set(hash, { ...transaction, block: head + 1 });
      head += DEPTH;
      return hash;
    },
    fallSilent(): void {
      silent = true;
    },
    /** Answers again, also what was asked meanwhile. */
    speak(): void {
      silent = false;
      for (const answer of held.splice(0)) answer();
    },
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
}
