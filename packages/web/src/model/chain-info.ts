/** What this server says about a chain to everybody: served by the pages door, never its own RPC. */
export interface ChainInfo {
  readonly chainId: number;
  readonly name: string;
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrl?: string;
  readonly creationCode?: { readonly xrc137: string; readonly xrc729: string };
  readonly permit: { readonly ostcHashType: 'string' | 'bytes32'; readonly wire: 'client' | 'catalog' };
}
