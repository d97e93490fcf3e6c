/** Symbol and decimals as a token contract claims them, read through the wallet: this page asks no one else. */
import { decodeArguments } from '../calldata/decode-arguments.js';
import { plainText } from '../format/plain-text.js';
import type { TokenClaim } from '../transaction/describe.js';
import type { Provider } from './provider.js';

const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';
const MAX_DECIMALS = 77n;

export async function readTokenClaim(provider: Provider, token: string): Promise<TokenClaim | undefined> {
  try {
    const [symbol] = (await read(provider, token, SYMBOL, 'string')) ?? [];
    const [decimals] = (await read(provider, token, DECIMALS, 'uint256')) ?? [];
    if (typeof symbol !== 'string' || typeof decimals !== 'bigint' || decimals > MAX_DECIMALS)
      return undefined;
    return { symbol: plainText(symbol, 16) || 'units', decimals: Number(decimals) };
  } catch {
    return undefined;
  }
}

async function read(provider: Provider, to: string, data: string, type: 'string' | 'uint256') {
  const answer = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] });
  return typeof answer === 'string' ? decodeArguments([type], answer.slice(2)) : undefined;
}
