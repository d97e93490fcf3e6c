/** Symbol and decimals as a token contract claims them, read through the wallet: this page asks no one else. */
import { decodeText, decodeWord } from '@handover/evm';
import { plainText } from '../format/plain-text.js';
import type { TokenClaim } from '../transaction/describe.js';
import type { Provider } from './provider.js';

const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';
const MAX_DECIMALS = 77n;

export async function readTokenClaim(provider: Provider, token: string): Promise<TokenClaim | undefined> {
  try {
    const symbol = decodeText(await read(provider, token, SYMBOL));
    const decimals = BigInt(decodeWord(await read(provider, token, DECIMALS)) ?? MAX_DECIMALS + 1n);
    if (symbol === undefined || decimals > MAX_DECIMALS) return undefined;
    return { symbol: plainText(symbol, 16) || 'units', decimals: Number(decimals) };
  } catch {
    return undefined;
  }
}

async function read(provider: Provider, to: string, data: string): Promise<string> {
  const answer = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] });
  return typeof answer === 'string' ? answer : '0x';
}
