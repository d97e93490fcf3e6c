/** A token's name, symbol and decimals: the contract's own claim, to be shown as a claim. */
import { decodeText, decodeWord } from '@handover/core';
import { nodeCodec } from '../node-codec.js';
import { type ChainCall, ChainRefused, type Hex } from '../pipeline/operations/chain-port.js';

interface Caller {
  call(call: ChainCall): Promise<Hex>;
}

export interface TokenClaim {
  readonly name?: string;
  readonly symbol?: string;
  readonly decimals?: number;
}

const NAME = '06fdde03';
const SYMBOL = '95d89b41';
const DECIMALS = '313ce567';
const MAX_LETTERS = 64;
/** Controls and the marks that turn the direction of text: with them a symbol could rewrite the line it stands in. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

export async function readToken(client: Caller, address: Hex): Promise<TokenClaim> {
  const read = async (selector: string): Promise<Hex | undefined> => {
    try {
      return await client.call({ to: address, data: `0x${selector}` });
    } catch (failure) {
      if (failure instanceof ChainRefused) return undefined;
      throw failure;
    }
  };
  const name = label(await read(NAME));
  const symbol = label(await read(SYMBOL));
  const decimals = smallNumber(await read(DECIMALS));
  return {
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(decimals !== undefined && { decimals }),
  };
}

function label(answer: Hex | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const text = decodeText(answer, nodeCodec) ?? oldLabel(answer);
  const shown = text?.replace(HIDDEN, '').trim();
  return shown ? [...shown].slice(0, MAX_LETTERS).join('') : undefined;
}

/** Early tokens answer with bytes32, filled up with zeros. */
function oldLabel(answer: Hex): string | undefined {
  if (answer.length !== 66) return undefined;
  return nodeCodec.text(Buffer.from(answer.slice(2).replace(/(?:00)+$/, ''), 'hex'));
}

function smallNumber(answer: Hex | undefined): number | undefined {
  const word = answer === undefined ? undefined : decodeWord(answer);
  if (word === undefined) return undefined;
  const value = BigInt(word);
  return value <= 255n ? Number(value) : undefined;
}
