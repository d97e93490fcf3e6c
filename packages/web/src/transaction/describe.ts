/** Describes a transaction in one sentence, from its bytes alone. What the agent says about it is not used. */
import type { CalldataReading, DecodedCall } from '@handover/evm';
import { formatUnits, grouped } from '../format/units.js';
import type { ChainInfo } from '../model/chain-info.js';
import type { Transaction } from './normalise.js';

export type Part = string | { readonly strong: string } | { readonly address: string };

/** What a token contract says about itself. Nobody has checked it. */
export interface TokenClaim {
  readonly symbol: string;
  readonly decimals: number;
}

const UNLIMITED = (1n << 96n) - 1n;

export function describe(
  { to, value }: Transaction,
  { kind, call }: CalldataReading,
  { currency }: ChainInfo,
  token?: TokenClaim,
): readonly Part[] {
  const coins: Part = { strong: `${formatUnits(value, currency.decimals)} ${currency.symbol}` };
  if (to === undefined)
    return ['Create a ', { strong: 'new contract' }, ...(value > 0n ? [' and give it ', coins] : [])];
  if (kind === 'transfer')
    return value === 0n
      ? ['Send an ', { strong: 'empty transaction' }, ' to ', { address: to }]
      : ['Send ', coins, ' to ', { address: to }];
  const known = call?.source === 'built-in' ? callParts(call, to, token) : undefined;
  return [...(known ?? otherCall(call, to)), ...(value > 0n ? [', and send ', coins, ' with it'] : [])];
}

function otherCall(call: DecodedCall | undefined, to: string): readonly Part[] {
  const name = call?.source === 'built-in' ? call.name : 'a function this page does not know';
  return ['Call ', { strong: name }, ' of the contract ', { address: to }];
}

function callParts(
  call: DecodedCall,
  contract: string,
  token: TokenClaim | undefined,
): readonly Part[] | undefined {
  const value = (name: string) => call.arguments.find((one) => one.name === name)?.value;
  const address = (name: string): Part => ({ address: String(value(name)) });
  const number = (name: string) => BigInt(String(value(name) ?? 0));
  const amount = (name: string): Part => ({ strong: tokenAmount(number(name), token) });
  /** Old collections and new ones share these functions with tokens: without decimals it may be the number of an item. */
  const amountOrItem = (name: string): Part =>
    token ? amount(name) : { strong: `amount or item number ${grouped(String(number(name)))}` };
  const id = (name: string): Part => ({ strong: `no. ${grouped(String(number(name)))}` });
  const text = (name: string): Part => ({ strong: String(value(name)).slice(0, 80) });
  const of: Part = { address: contract };
  switch (call.signature) {
    case 'transfer(address,uint256)':
      return ['Transfer ', amountOrItem('amount'), ' to ', address('to'), ', of the token ', of];
    case 'transferFrom(address,address,uint256)':
      return [
        'Move ',
        amountOrItem('amountOrId'),
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
        token ? ' to spend up to ' : ' to take ',
        number('amountOrId') >= UNLIMITED ? { strong: 'an unlimited amount' } : amountOrItem('amountOrId'),
        ' of the token ',
        of,
      ];
    case 'increaseAllowance(address,uint256)':
      return ['Allow ', address('spender'), ' to spend ', amount('addedAmount'), ' more of the token ', of];
    case 'decreaseAllowance(address,uint256)':
      return [
        'Allow ',
        address('spender'),
        ' to spend ',
        amount('subtractedAmount'),
        ' less of the token ',
        of,
      ];
    case 'setApprovalForAll(address,bool)':
      return value('approved') === true
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
        id('id'),
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
      return ['Store the process ', text('ostcId'), ' in the XRC-729 contract ', of];
    case 'deleteOSTC(string)':
      return ['Delete the process ', text('ostcId'), ' from the XRC-729 contract ', of];
    case 'updateRule(string)':
      return ['Replace the rule of the XRC-137 contract ', of];
    case 'addExecutor(address)':
      return ['Let ', address('executor'), ' run the processes of the XRC-729 contract ', of];
    case 'removeExecutor(address)':
      return ['No longer let ', address('executor'), ' run the processes of the XRC-729 contract ', of];
    default:
      return undefined;
  }
}

export function tokenAmount(amount: bigint, token: TokenClaim | undefined): string {
  if (!token) return `${grouped(amount.toString())} base units`;
  return `${formatUnits(amount, token.decimals)} ${token.symbol}`;
}
