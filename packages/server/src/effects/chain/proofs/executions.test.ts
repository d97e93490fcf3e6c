/** Reading the log in ranges (review:2.1), counted in requests. */
import { SafeTopic } from '@handover/evm';
import { describe, expect, it } from 'vitest';
import { type ChainClient, ChainErrored, ChainSilent, type Hex, type LogQuery } from '../../../chain/port.js';
import { scanExecutions } from './executions.js';

const SAFE = `0x${'5a'.repeat(20)}`;
const HASH: Hex = `0x${'ab'.repeat(32)}`;
const CARRIER: Hex = `0x${'cd'.repeat(32)}`;

/** A node that gives the log of so many blocks at once. */
function node(most: number, at = -1, topics: readonly string[] = [SafeTopic.Success, HASH], data = '0x') {
  const asked: LogQuery[] = [];
  const client = {
    chainId: 1,
    logs: async (query: LogQuery) => {
      const { from, to, address } = query;
      if (address.includes(SAFE)) asked.push(query);
      if (to - from + 1 > most) throw new ChainErrored('too many blocks', -32_005);
      const isIn = from <= at && at <= to && address.includes(SAFE);
      return isIn ? [{ address: SAFE, topics, data, transactionHash: CARRIER, blockNumber: at }] : [];
    },
  } as unknown as ChainClient;
  return { client, asked };
}
const found = { kind: 'safe', value: HASH, success: true, carrier: CARRIER };

describe('the log of an account', () => {
  it('review:2.1 is asked for in ranges of 2,000 blocks, to the head', async () => {
    const { client, asked } = node(2_000, 4_500);
    expect(await scanExecutions(client, SAFE, [], 1, 5_000)).toMatchObject({
      found: [found],
      through: 5_000,
    });
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      [1, 2_000],
      [2_001, 4_000],
      [4_001, 5_000],
    ]);
  });

  it('review:2.1 in half as many after each refusal, and no further in one look than the limit', async () => {
    const { client, asked } = node(500, 900);
    const scan = await scanExecutions(client, SAFE, [], 1, 1_000_000);
    expect(scan).toMatchObject({ found: [found], through: 5_000 });
    expect(asked).toHaveLength(12);
  });

  it('review:2.1 a node that gives no block at all ends the look, and nothing counts as read', async () => {
    const { client, asked } = node(0);
    expect(await scanExecutions(client, SAFE, [], 10, 20)).toEqual({ found: [], through: 9 });
    expect(asked.length).toBeLessThanOrEqual(12);
  });

  it('review:2.1 silence is not taken for an empty log', async () => {
    const client = { chainId: 1, logs: () => Promise.reject(new ChainSilent('no answer')) };
    await expect(scanExecutions(client as unknown as ChainClient, SAFE, [], 1, 2)).rejects.toThrow(
      'no answer',
    );
  });

  it('review:2.1 older Safes write the hash into the data', async () => {
    const data = `${HASH}${'0'.repeat(64)}`;
    const { client } = node(2_000, 5, [SafeTopic.Failure], data);
    expect((await scanExecutions(client, SAFE, [], 1, 9)).found).toEqual([
      { ...found, success: false, block: 5 },
    ]);
  });
});
