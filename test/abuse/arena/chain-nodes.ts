/**
 * Two chains on loopback. The node of one works: it knows every transaction that is asked for, and finds it deep in the
 * chain. The node of the other takes every request and never answers.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeText } from '@handover/evm';
import { textOfContract } from './hostile-contracts.js';

export const WORKING_CHAIN = 31_337;
export const STUCK_CHAIN = 31_338;

/** What the working node says that every transaction does. */
export const PAYMENT = { to: `0x${'11'.repeat(20)}`, value: '0x1', data: '0x' } as const;

export interface ChainNodes {
  /** Settings of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** Requests that the stuck node has taken. */
  readonly stuck: () => number;
  stop(): void;
}

export async function startChainNodes(): Promise<ChainNodes> {
  let taken = 0;
  const working = await listening(answerAll);
  const stuck = await listening(() => taken++);
  return {
    env: {
      [`HANDOVER_RPC_URL_${WORKING_CHAIN}`]: urlOf(working),
      [`HANDOVER_RPC_URL_${STUCK_CHAIN}`]: urlOf(stuck),
    },
    stuck: () => taken,
    stop() {
      for (const server of [working, stuck]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const answerAll: RequestListener = (incoming, response) => {
  void readBody(incoming).then((text) => {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown[] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answerTo(method, params) }));
  });
};

/** Who the working node says that sent every transaction. */
export const PAYER = `0x${'22'.repeat(20)}`;
/** Blocks on top of a transaction when it is first asked for: newer than its request, and deep at once. */
const DEPTH = 100;
const blocks = new Map<unknown, number>();
let head = 0x1000;

const hex = (value: number): string => `0x${value.toString(16)}`;

function placeOf(hash: unknown): object {
  const known = blocks.get(hash);
  if (known === undefined) {
    blocks.set(hash, head + 1);
    head += DEPTH;
  }
  const number = known ?? blocks.get(hash) ?? head;
  return { blockNumber: hex(number), blockHash: blockHash(number), from: PAYER, to: PAYMENT.to };
}

const blockHash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

function answerTo(method: string, params: readonly unknown[]): unknown {
  const { to = '' } = (params[0] ?? {}) as { to?: string };
  switch (method) {
    case 'eth_chainId':
      return hex(WORKING_CHAIN);
    case 'eth_blockNumber':
      return hex(head);
    case 'eth_getBlockByNumber':
      return {
        number: params[0],
        hash: blockHash(Number(params[0])),
        timestamp: hex(Math.floor(Date.now() / 1_000)),
      };
    case 'eth_getTransactionCount':
      return '0x0';
    case 'eth_getCode':
      return '0x';
    case 'eth_getTransactionByHash':
      return {
        ...placeOf(params[0]),
        hash: params[0],
        value: PAYMENT.value,
        input: PAYMENT.data,
        nonce: '0x0',
      };
    case 'eth_getTransactionReceipt':
      return { ...placeOf(params[0]), transactionHash: params[0], status: '0x1', contractAddress: null };
    case 'eth_call':
      return `0x${encodeText(textOfContract(to))}`;
    default:
      return null;
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
