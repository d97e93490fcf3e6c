/** One transaction as a sentence in parts, from its bytes alone: what the agent says about it plays no role. */
import { addressArgument, amountArgument, argument, type Decoded } from '../calldata/decode-calldata.js';
import { formatUnits, grouped } from '../format/units.js';
import type { ChainInfo } from '../model/chain-info.js';
import type { Transaction } from './normalise.js';

export type Part = string | { readonly strong: string } | { readonly address: string };

/** What a token contract says about itself: a claim of that contract. */
export interface TokenClaim {
  readonly symbol: string;
  readonly decimals: number;
}

export function describe(
  transaction: Transaction,
  decoded: Decoded,
  chain: ChainInfo,
  token?: TokenClaim,
): readonly Part[] {
  const { to, value } = transaction;
  const coins = `${formatUnits(value, chain.currency.decimals)} ${chain.currency.symbol}`;
  if (to === undefined)
    return [
      'Create a ',
      { strong: 'new contract' },
      ...(value > 0n ? [' and give it ', { strong: coins }] : []),
    ];
  if (decoded.kind === 'none') {
    if (value === 0n) return ['Send an ', { strong: 'empty transaction' }, ' to ', { address: to }];
    return ['Send ', { strong: coins }, ' to ', { address: to }];
  }
  const paying: readonly Part[] = value > 0n ? [', and send ', { strong: coins }, ' with it'] : [];
  return [...(callParts(decoded, to, token) ?? unknownParts(decoded, to)), ...paying];
}

function unknownParts(decoded: Decoded, to: string): readonly Part[] {
  const name =
    decoded.kind === 'known' || decoded.kind === 'malformed'
      ? decoded.name
      : 'a function this page does not know';
  return ['Call ', { strong: name }, ' of the contract ', { address: to }];
}

function callParts(
  decoded: Decoded,
  contract: string,
  token: TokenClaim | undefined,
): readonly Part[] | undefined {
  if (decoded.kind !== 'known') return undefined;
  const address = (name: string): Part => ({ address: addressArgument(decoded, name) ?? '' });
  const amount = (name: string): Part => ({
    strong: tokenAmount(amountArgument(decoded, name) ?? 0n, token),
  });
  const id = (name: string): Part => ({
    strong: `no. ${grouped(String(amountArgument(decoded, name) ?? 0n))}`,
  });
  const of: Part = { address: contract };
  switch (decoded.signature) {
    case 'transfer(address,uint256)':
      return ['Transfer ', amount('amount'), ' to ', address('to'), ', of the token ', of];
    case 'transferFrom(address,address,uint256)':
      return [
        'Move ',
        amount('amount'),
        ' from ',
        address('from'),
        ' to ',
        address('to'),
        ', of the token ',
        of,
      ];
    case 'approve(address,uint256)':
      return [
        'Allow ',
        address('spender'),
        ' to spend up to ',
        allowance(decoded, token),
        ' of the token ',
        of,
      ];
    case 'increaseAllowance(address,uint256)':
      return ['Allow ', address('spender'), ' to spend ', amount('added'), ' more of the token ', of];
    case 'decreaseAllowance(address,uint256)':
      return ['Allow ', address('spender'), ' to spend ', amount('removed'), ' less of the token ', of];
    case 'setApprovalForAll(address,bool)':
      return argument(decoded, 'approved') === true
        ? [
            'Allow ',
            address('operator'),
            ' to move ',
            { strong: 'all your tokens' },
            ' of the collection ',
            of,
          ]
        : ['No longer allow ', address('operator'), ' to move your tokens of the collection ', of];
    case 'safeTransferFrom(address,address,uint256)':
    case 'safeTransferFrom(address,address,uint256,bytes)':
      return [
        'Transfer token ',
        id('tokenId'),
        ' from ',
        address('from'),
        ' to ',
        address('to'),
        ', of the collection ',
        of,
      ];
    case 'safeTransferFrom(address,address,uint256,uint256,bytes)':
      return [
        'Transfer ',
        amount('amount'),
        ' of token ',
        id('id'),
        ' from ',
        address('from'),
        ' to ',
        address('to'),
        ', of the collection ',
        of,
      ];
    case 'transferOwnership(address)':
      return ['Give control of the contract ', of, ' to ', address('newOwner')];
    case 'renounceOwnership()':
      return ['Give up control of the contract ', of, ' for good'];
    case 'setOSTC(string,string)':
      return [
        'Store the process ',
        { strong: String(argument(decoded, 'id')) },
        ' in the XRC-729 contract ',
        of,
      ];
    case 'updateRule(string)':
      return ['Replace the rule of the XRC-137 contract ', of];
    default:
      return undefined;
  }
}

function allowance(decoded: Decoded, token: TokenClaim | undefined): Part {
  const amount = amountArgument(decoded, 'amount') ?? 0n;
  return { strong: amount >= 1n << 255n ? 'an unlimited amount' : tokenAmount(amount, token) };
}

export function tokenAmount(amount: bigint, token: TokenClaim | undefined): string {
  if (!token) return `${grouped(amount.toString())} base units`;
  return `${formatUnits(amount, token.decimals)} ${token.symbol}`;
}
