/**
 * Finds a transaction by its sender and number. Some nodes can say. Of the others the block is found in which the count of
 * the account passed the number, by halving. A node that has forgotten old counts is asked for the blocks themselves, some
 * at a time.
 */
import { performance } from 'node:perf_hooks';
import { fixedLimits } from '../config/fixed-limits.js';
import type { Ask } from './chain-client.js';
import { ChainErrored, ChainRefused, type Hex, type SentTransaction } from './port.js';
import { count, object, readSent } from './rpc-answers.js';

/** True: a round of reading blocks may begin. */
export type BlockRounds = () => boolean;

const MINUTE_MS = 60_000;
const hex = (value: number): string => `0x${value.toString(16)}`;

export function blockRounds(now: () => number = () => performance.now()): BlockRounds {
  let begun: readonly number[] = [];
  return () => {
    begun = begun.filter((at) => now() - at < MINUTE_MS);
    if (begun.length >= fixedLimits.blockRoundsPerMinute.value) return false;
    begun = [...begun, now()];
    return true;
  };
}

export async function findSent(
  ask: Ask,
  rounds: BlockRounds,
  account: Hex,
  nonce: number,
  since = 0,
): Promise<SentTransaction> {
  // A node that says there is none may keep only those that wait.
  const said = await askNode(ask, account, nonce);
  if (said !== undefined) return { hash: said };
  const block = await blockOf(ask, account, nonce, since);
  if (block === null) return {};
  if (block === undefined) return rounds() ? readBlocks(ask, account, nonce, since) : {};
  const hash = await hashIn(ask, block, account, nonce);
  return hash === undefined ? {} : { hash };
}

async function hashIn(ask: Ask, block: number, account: Hex, nonce: number): Promise<Hex | undefined> {
  const sent = readSent(await ask('eth_getBlockByNumber', [hex(block), true]));
  return sent.find((one) => one.from === account && one.nonce === nonce)?.hash;
}

/** Undefined: this node cannot say. */
async function askNode(ask: Ask, account: Hex, nonce: number): Promise<Hex | undefined> {
  const answer = await quietly(() => ask('eth_getTransactionBySenderAndNonce', [account, hex(nonce)]));
  if (answer === undefined || answer === null) return undefined;
  const { hash } = object(answer);
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? (hash.toLowerCase() as Hex) : undefined;
}

/** The first block after which the account had sent more than `nonce`. Null: none has. Undefined: the node cannot say. */
function blockOf(ask: Ask, account: Hex, nonce: number, since: number): Promise<number | null | undefined> {
  const countAt = async (block: number) => count(await ask('eth_getTransactionCount', [account, hex(block)]));
  return quietly(async () => {
    let low = since;
    let high = count(await ask('eth_blockNumber', []));
    if ((await countAt(high)) <= nonce) return null;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await countAt(middle)) > nonce) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}

/** One round: as many blocks as are read at a time. */
async function readBlocks(ask: Ask, account: Hex, nonce: number, since: number): Promise<SentTransaction> {
  const head = count(await ask('eth_blockNumber', []));
  const last = Math.min(head, since + fixedLimits.scannedBlocks.value);
  for (let block = since + 1; block <= last; block++) {
    const hash = await hashIn(ask, block, account, nonce);
    if (hash !== undefined) return { hash };
  }
  return { through: last };
}

/** Undefined where the node has no such method, or has forgotten. */
async function quietly<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (failure) {
    if (failure instanceof ChainRefused || failure instanceof ChainErrored) return undefined;
    throw failure;
  }
}
