/** What the pages door tells everybody about a chain. `rpcUrl` is a public node, never the server's own RPC. */
export interface ChainInfo {
  readonly chainId: number;
  readonly name: string;
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrl?: string;
  readonly creationCode?: { readonly xrc137: string; readonly xrc729: string };
  /** How the server can prove what was done, where it knows that. */
  readonly proofs?: readonly string[];
  readonly permit: { readonly ostcHashType: 'string' | 'bytes32'; readonly wire: 'client' | 'catalog' };
}

/** Its name and its number; one without a name is called by its number. */
export function chainName(chain: Pick<ChainInfo, 'name'> | undefined, chainId: number): string {
  const number = `chain ${chainId}`;
  if (chain === undefined || chain.name.toLowerCase() === number) return `Chain ${chainId}`;
  return `${chain.name} (${number})`;
}
