/** Chains that are known by name, and their coins. */
import { formatUnits } from './units.js';

export interface NamedChain {
  readonly name: string;
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number };
}

const XGR = { name: 'XGR', symbol: 'XGR', decimals: 18 };
const ETHER = { name: 'Ether', symbol: 'ETH', decimals: 18 };
const XGR_CHAINS: ReadonlyMap<number, NamedChain> = new Map([
  [1643, { name: 'XGR Mainnet', currency: XGR }],
  [1879, { name: 'XGR Testnet', currency: XGR }],
  [1887, { name: 'XGR Devnet', currency: XGR }],
]);
const OTHER_CHAINS: ReadonlyMap<number, NamedChain> = new Map([
  [1, { name: 'Ethereum', currency: ETHER }],
  [11_155_111, { name: 'Sepolia', currency: ETHER }],
  [31_337, { name: 'Local test chain', currency: ETHER }],
]);

export const isXgrChain = (chainId: number): boolean => XGR_CHAINS.has(chainId);

export const namedChain = (chainId: number): NamedChain =>
  XGR_CHAINS.get(chainId) ?? OTHER_CHAINS.get(chainId) ?? unnamed(chainId);

const unnamed = (chainId: number): NamedChain => ({
  name: `Chain ${chainId}`,
  currency: { name: 'Native coin', symbol: 'COIN', decimals: 18 },
});

/** As pages show it. */
export function coinsOf(chainId: number, amount: bigint): string {
  const { symbol, decimals } = namedChain(chainId).currency;
  return `${formatUnits(amount, decimals)} ${symbol}`;
}
