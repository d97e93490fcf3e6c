/** Finding a transaction by its sender and number, on nodes that can less and less (review:S1); counted in requests. */
import { describe, expect, it } from 'vitest';
import type { Ask } from './chain-client.js';
import { blockRounds, findSent } from './find-sent.js';
import { ChainErrored, ChainRefused, type Hex } from './port.js';

const ACCOUNT: Hex = `0x${'11'.repeat(20)}`;
const HASH: Hex = `0x${'ab'.repeat(32)}`;
const HEAD = 1_000;

interface NodeOptions {
  readonly at: number;
  readonly byNonce?: boolean;
  readonly oldStates?: boolean;
}

/** The account's only transaction, number 0, stands in block `at`. */
function node({ at, byNonce = false, oldStates = true }: NodeOptions) {
  const asked: string[] = [];
  const ask: Ask = async (method, [first, second]) => {
    asked.push(method);
    if (method === 'eth_getTransactionBySenderAndNonce') {
      if (byNonce) return { hash: HASH };
      throw new ChainRefused('the RPC does not know this method');
    }
    if (method === 'eth_blockNumber') return `0x${HEAD.toString(16)}`;
    if (method === 'eth_getTransactionCount') {
      const block = Number(second);
      if (!oldStates && block < HEAD) throw new ChainErrored('missing trie node', -32_000);
      return block >= at ? '0x1' : '0x0';
    }
    const sent = { from: ACCOUNT, nonce: '0x0', hash: HASH };
    return { transactions: Number(first) === at ? [sent] : [] };
  };
  return { ask, asked };
}
const free = () => true;

describe('a transaction by its sender and number', () => {
  it('review:S1 a node that knows is asked once', async () => {
    const { ask, asked } = node({ at: 700, byNonce: true });
    expect(await findSent(ask, free, ACCOUNT, 0)).toEqual({ hash: HASH });
    expect(asked).toHaveLength(1);
  });

  it('review:S1 else the block is found by halving', async () => {
    const { ask, asked } = node({ at: 700 });
    expect(await findSent(ask, free, ACCOUNT, 0, 100)).toEqual({ hash: HASH });
    expect(asked.length).toBeLessThan(16);
  });

  it('review:S1 where old states are gone, at most 300 blocks are read in a round, and the next goes on', async () => {
    const { ask, asked } = node({ at: 700, oldStates: false });
    expect(await findSent(ask, free, ACCOUNT, 0, 100)).toEqual({ through: 400 });
    expect(asked.filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(300);
    expect(await findSent(ask, free, ACCOUNT, 0, 400)).toEqual({ hash: HASH });
  });

  it('review:S1 three rounds a minute, and then nothing is said', async () => {
    let now = 0;
    const rounds = blockRounds(() => now);
    const { ask } = node({ at: 999, oldStates: false });
    const find = () => findSent(ask, rounds, ACCOUNT, 0, 600);
    expect(await Promise.all([find(), find(), find(), find()])).toEqual([
      { through: 900 },
      { through: 900 },
      { through: 900 },
      {},
    ]);
    now += 60_000;
    expect(await find()).toEqual({ through: 900 });
  });

  it('a number that nobody has used is not looked for in blocks', async () => {
    const { ask, asked } = node({ at: 700 });
    expect(await findSent(ask, free, ACCOUNT, 5)).toEqual({});
    expect(asked).not.toContain('eth_getBlockByNumber');
  });
});
