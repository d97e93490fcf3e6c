/** What a contract that may be a Safe answers about itself. It is the contract's own word. */
import { decodeWord, SafeSelector } from '@handover/evm';
import { type ChainClient, ChainErrored, ChainRefused, type Hex } from '../../../chain/port.js';

/** How many transactions it has carried out; undefined: it does not say. */
export const readSafeNonce = (client: ChainClient, safe: Hex, at?: number): Promise<number | undefined> =>
  readNumber(client, safe, SafeSelector.Nonce, at);

/** How many owners have to sign. */
export const readThreshold = (client: ChainClient, safe: Hex): Promise<number | undefined> =>
  readNumber(client, safe, SafeSelector.Threshold);

async function readNumber(
  client: ChainClient,
  safe: Hex,
  selector: string,
  at?: number,
): Promise<number | undefined> {
  try {
    const word = decodeWord(await client.call({ to: safe, data: `0x${selector}` }, at));
    const number = word === undefined ? Number.NaN : Number(BigInt(word));
    return Number.isSafeInteger(number) ? number : undefined;
  } catch (failure) {
    if (failure instanceof ChainRefused || failure instanceof ChainErrored) return undefined;
    throw failure;
  }
}
