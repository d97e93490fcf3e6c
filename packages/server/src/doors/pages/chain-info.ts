/**
 * What the server tells pages and wallets about a chain: public facts only, never the server's own RPC.
 *
 * On XGR's own chains, contracts are created only from code that the operator has configured, because those chains have
 * contracts of their own. On other chains, the code that comes with this server is used unless the operator has
 * configured another.
 */
import { isXgrChain, namedChain } from '@handover/evm';
import type { CreationCode } from './page-files.js';

export interface PermitForm {
  readonly ostcHashType: 'string' | 'bytes32';
  readonly wire: 'client' | 'catalog';
}

export interface PublicChains {
  readonly publicRpcs: ReadonlyMap<number, string>;
  readonly creationCode: ReadonlyMap<number, Partial<CreationCode>>;
  readonly permit?: PermitForm;
}

const DEFAULT_PERMIT: PermitForm = { ostcHashType: 'string', wire: 'client' };

export function chainInfo(chainId: number, chains: PublicChains, ours: CreationCode | undefined) {
  const rpcUrl = chains.publicRpcs.get(chainId);
  const code = codeFor(chainId, chains, ours);
  return {
    chainId,
    ...namedChain(chainId),
    ...(rpcUrl !== undefined && { rpcUrl }),
    ...(code && { creationCode: code }),
    permit: chains.permit ?? DEFAULT_PERMIT,
  };
}

/** How the server can prove what an account has done, strongest first. Smart accounts need more than the first. */
export const proofsOf = (traces: boolean | undefined) =>
  traces === undefined
    ? {}
    : { proofs: ['transaction', ...(traces ? ['trace'] : []), 'safe_event', 'effects'] };

function codeFor(
  chainId: number,
  { creationCode }: PublicChains,
  ours: CreationCode | undefined,
): CreationCode | undefined {
  const fallback = isXgrChain(chainId) ? undefined : ours;
  const given = creationCode.get(chainId);
  const xrc137 = given?.xrc137 ?? fallback?.xrc137;
  const xrc729 = given?.xrc729 ?? fallback?.xrc729;
  return xrc137 !== undefined && xrc729 !== undefined ? { xrc137, xrc729 } : undefined;
}
