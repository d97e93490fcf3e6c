/**
 * Finds a transaction by its sender and number. Some nodes can say; of the others the blocks are read in which it must be:
 * the block in which the count of the account passed the number is found by halving.
 */
import type { Ask } from './chain-client.js';
import { ChainRefused, type Hex } from './port.js';
import { count, object, readSent } from './rpc-answers.js';

const hex = (value: number): string => `0x${value.toString(16)}`;

export async function findSent(ask: Ask, account: Hex, nonce: number, since = 0): Promise<Hex | undefined> {
  const said = await askNode(ask, account, nonce);
  if (said !== undefined) return said ?? undefined;
  const block = await blockOf(ask, account, nonce, since);
  if (block === undefined) return undefined;
  const sent = readSent(await ask('eth_getBlockByNumber', [hex(block), true]));
  return sent.find((one) => one.from === account && one.nonce === nonce)?.hash;
}

/** Null: there is none. Undefined: this node cannot say. */
async function askNode(ask: Ask, account: Hex, nonce: number): Promise<Hex | null | undefined> {
  try {
    const answer = await ask('eth_getTransactionBySenderAndNonce', [account, hex(nonce)]);
    if (answer === null || answer === undefined) return null;
    const { hash } = object(answer);
    return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)
      ? (hash.toLowerCase() as Hex)
      : undefined;
  } catch (failure) {
    if (failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}

/** The first block after which the account had sent more than `nonce`. A node without old states refuses; then undefined. */
async function blockOf(ask: Ask, account: Hex, nonce: number, since: number): Promise<number | undefined> {
  const countAt = async (block: number) => count(await ask('eth_getTransactionCount', [account, hex(block)]));
  try {
    let low = since;
    let high = count(await ask('eth_blockNumber', []));
    if ((await countAt(high)) <= nonce) return undefined;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await countAt(middle)) > nonce) high = middle;
      else low = middle + 1;
    }
    return low;
  } catch (failure) {
    if (failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}
