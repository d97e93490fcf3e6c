/** Everything that a page warns about in the bytes themselves. The list is closed: each has its sentence and its test. */
import type { AbiValue } from '../abi/abi-type.js';
import type { KnownFunction } from './known-functions.js';

export const CallWarning = {
  /** It creates a contract; the bytes do not show what that will do. */
  ContractCreation: 'CONTRACT_CREATION',
  /** The spender may take all there is, now and later. */
  UnlimitedApproval: 'UNLIMITED_APPROVAL',
  /** The operator may move every token of the collection. */
  ApprovalForAll: 'APPROVAL_FOR_ALL',
  /** Another account, or nobody, will own the contract. */
  OwnershipChange: 'OWNERSHIP_CHANGE',
  /** Another account may run the orchestrations. */
  ExecutorAdded: 'EXECUTOR_ADDED',
  /** It takes tokens of an account that does not sign. */
  MovesTokensOfOthers: 'MOVES_TOKENS_OF_OTHERS',
  /** What is sent to the zero address is lost. */
  RecipientIsZero: 'RECIPIENT_IS_ZERO',
  /** Most tokens that are sent to their own contract are lost. */
  RecipientIsContract: 'RECIPIENT_IS_CONTRACT',
  /** The bytes say something that cannot be explained here. */
  UnknownFunction: 'UNKNOWN_FUNCTION',
  /** The same, and it sends value along. */
  ValueWithUnknownFunction: 'VALUE_WITH_UNKNOWN_FUNCTION',
  /** Value comes along with a function that takes none. */
  UnexpectedValue: 'UNEXPECTED_VALUE',
  /** The bytes begin like a known function but do not hold exactly its arguments. */
  MalformedCalldata: 'MALFORMED_CALLDATA',
  /** The bytes may be right, but they hold more than a person can read. */
  TooLongToExplain: 'TOO_LONG_TO_EXPLAIN',
  /** What the agent says about the bytes does not fit them. */
  ClaimDoesNotFit: 'CLAIM_DOES_NOT_FIT',
  /** No value and no data: it costs a fee and does nothing. */
  NothingToDo: 'NOTHING_TO_DO',
} as const;
export type CallWarning = (typeof CallWarning)[keyof typeof CallWarning];

export interface Called {
  readonly fn: KnownFunction;
  readonly values: readonly AbiValue[];
  readonly from?: string;
  readonly to: string;
}

const NOBODY = `0x${'0'.repeat(40)}`;
/** Wallets and tokens write "unlimited" as all ones of 96 bits or more; no supply in use comes near. */
const UNLIMITED = (1n << 96n) - 1n;

const isUnlimited = (value: AbiValue | undefined): boolean =>
  typeof value === 'string' && BigInt(value) >= UNLIMITED;

/** The warnings for a known function with these arguments. */
export function warningsOfCall({ fn, values, from, to }: Called): readonly CallWarning[] {
  switch (fn.signature) {
    case 'approve(address,uint256)':
    case 'increaseAllowance(address,uint256)':
      return isUnlimited(values[1]) ? [CallWarning.UnlimitedApproval] : [];
    case 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)':
      return isUnlimited(values[2]) ? [CallWarning.UnlimitedApproval] : [];
    case 'setApprovalForAll(address,bool)':
      return values[1] === true ? [CallWarning.ApprovalForAll] : [];
    case 'transferOwnership(address)':
    case 'renounceOwnership()':
      return [CallWarning.OwnershipChange];
    case 'addExecutor(address)':
      return [CallWarning.ExecutorAdded];
    case 'transfer(address,uint256)':
      return recipient(values[0], to);
    default:
      return /ransferFrom\(/.test(fn.signature)
        ? [...holder(values[0], from), ...recipient(values[1], to)]
        : [];
  }
}

function holder(value: AbiValue | undefined, from: string | undefined): readonly CallWarning[] {
  // Without a known signer nobody can say whose tokens they are: the warning stays.
  return value === from?.toLowerCase() ? [] : [CallWarning.MovesTokensOfOthers];
}

function recipient(value: AbiValue | undefined, contract: string): readonly CallWarning[] {
  if (value === NOBODY) return [CallWarning.RecipientIsZero];
  return value === contract.toLowerCase() ? [CallWarning.RecipientIsContract] : [];
}
