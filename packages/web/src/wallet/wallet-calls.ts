/** The calls to a wallet. Each answer is checked before it is used. */
import { isAddress, isBytes32 } from '@handover/evm';
import type { ChainInfo } from '../model/chain-info.js';
import type { Provider } from './provider.js';
import { errorCode, OwnError, UNKNOWN_CHAIN } from './wallet-error.js';

export const hexOf = (value: number | bigint): string => `0x${value.toString(16)}`;

export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export async function accountOf(provider: Provider, prompt: boolean): Promise<string | undefined> {
  const accounts = await provider.request({ method: prompt ? 'eth_requestAccounts' : 'eth_accounts' });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  return isAddress(first) ? first.toLowerCase() : undefined;
}

export async function chainOf(provider: Provider): Promise<number | undefined> {
  return chainNumber(await provider.request({ method: 'eth_chainId' }));
}

export function chainNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Switches the chain. Adds a chain that the wallet does not know, if this server names a public RPC for it. */
export async function switchChain(provider: Provider, chain: ChainInfo): Promise<void> {
  const params = [{ chainId: hexOf(chain.chainId) }];
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params });
  } catch (thrown) {
    if (errorCode(thrown) !== UNKNOWN_CHAIN || chain.rpcUrl === undefined) throw thrown;
    await provider.request({ method: 'wallet_addEthereumChain', params: [addition(chain, chain.rpcUrl)] });
    if ((await chainOf(provider)) !== chain.chainId)
      await provider.request({ method: 'wallet_switchEthereumChain', params });
  }
}

function addition({ chainId, name, currency }: ChainInfo, rpcUrl: string): object {
  return { chainId: hexOf(chainId), chainName: name, nativeCurrency: currency, rpcUrls: [rpcUrl] };
}

/** The account is code, and not a key that lends itself to some (EIP-7702). False when the node does not say. */
export async function isContract(provider: Provider, account: string): Promise<boolean> {
  const code: unknown = await provider
    .request({ method: 'eth_getCode', params: [account, 'latest'] })
    .catch(() => '0x');
  return typeof code === 'string' && code.length > 2 && !code.toLowerCase().startsWith(DELEGATED);
}
const DELEGATED = '0xef0100';

/** In the smallest unit of the coin; undefined when the node does not say. */
export async function balanceOf(provider: Provider, account: string): Promise<bigint | undefined> {
  const answer: unknown = await provider
    .request({ method: 'eth_getBalance', params: [account, 'latest'] })
    .catch(() => undefined);
  return typeof answer === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(answer) ? BigInt(answer) : undefined;
}

/** The number of the account's next transaction; undefined when the node does not say. */
export async function nextNonce(provider: Provider, account: string): Promise<number | undefined> {
  const answer: unknown = await provider
    .request({ method: 'eth_getTransactionCount', params: [account, 'pending'] })
    .catch(() => undefined);
  return typeof answer === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(answer) ? Number(answer) : undefined;
}

export async function sendTransaction(provider: Provider, transaction: object): Promise<string> {
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] });
  if (!isBytes32(hash)) throw new OwnError('The wallet did not answer with a transaction hash.');
  return hash.toLowerCase();
}
