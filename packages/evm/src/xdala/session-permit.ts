/** The EIP-712 SessionPermit of docs/spec/operations.md 6.9, and the two forms in which it may travel. */

/** The form that a chain expects. */
export interface PermitForm {
  readonly chainId: number;
  readonly permit: { readonly ostcHashType: 'string' | 'bytes32'; readonly wire: 'client' | 'catalog' };
}

export interface PermitFacts {
  readonly from: string;
  readonly ostcId: string;
  readonly ostcHash: string;
  readonly sessionId: string;
  readonly maxTotalGas: number;
  readonly expiry: number;
}

export function permitTypedData(facts: PermitFacts, chain: PermitForm) {
  return {
    domain: { name: 'XDaLa SessionPermit', version: '1', chainId: chain.chainId },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      SessionPermit: [
        { name: 'from', type: 'address' },
        { name: 'ostcId', type: 'string' },
        { name: 'ostcHash', type: chain.permit.ostcHashType },
        { name: 'sessionId', type: 'uint256' },
        { name: 'maxTotalGas', type: 'uint256' },
        { name: 'expiry', type: 'uint256' },
      ],
    },
    primaryType: 'SessionPermit',
    message: {
      from: facts.from,
      ostcId: facts.ostcId,
      ostcHash: facts.ostcHash,
      sessionId: facts.sessionId,
      maxTotalGas: String(facts.maxTotalGas),
      expiry: String(facts.expiry),
    },
  } as const;
}

export function wirePermit(facts: PermitFacts, signature: string, chain: PermitForm): object {
  const { domain, types, primaryType, message } = permitTypedData(facts, chain);
  if (chain.permit.wire === 'catalog') return { domain, types, primaryType, message, signature };
  return {
    OstcHash: facts.ostcHash,
    Expiry: facts.expiry,
    Signature: signature,
    Owner: facts.from,
    PrimaryType: primaryType,
    Domain: domain,
    Types: types,
    Message: message,
  };
}
