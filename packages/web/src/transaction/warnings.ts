/** The closed list of what a page warns about, and the words for it. Each has a test. */
import type { Decoded } from '../calldata/decode-calldata.js';
import { addressArgument, amountArgument, argument } from '../calldata/decode-calldata.js';
import type { Transaction } from './normalise.js';

export const WARNINGS = {
  'unlimited-approval':
    'This lets the spender take every token of this kind that the account holds, now and later, without asking again.',
  'approval-for-all': 'This lets the operator move every token of this collection that the account holds.',
  'contract-creation': 'There is no recipient: this creates a new contract from the code in the data.',
  'value-with-unknown-call':
    'This sends coins together with a call that cannot be put into words. Sign only if you know what the contract does.',
  'unknown-call': 'The call cannot be put into words: its function is not one this page knows.',
  'malformed-call':
    'The data names a known function, but the bytes behind it do not fit. Do not sign unless you know why.',
  'zero-recipient': 'The recipient is the zero address: what goes there is lost.',
  'to-token-itself': 'The recipient is the token contract itself: tokens sent there are usually lost.',
  'from-someone-else': 'This moves tokens out of another account, on an approval that account gave.',
  ownership: 'This changes who controls the contract, and cannot be taken back from here.',
  'fees-fixed': 'The agent has fixed fees, gas or nonce. Your wallet shows what this may cost.',
  'hidden-characters':
    'Text in this request holds invisible or direction-changing characters. They are written out as ⟨U+…⟩.',
  'large-document':
    'A document is larger than 32 KiB: deploying it costs much gas and may exceed the limit of the chain.',
  'low-balance': 'The account may not hold enough for the estimated cost.',
} as const;
export type Warning = keyof typeof WARNINGS;

const HALF = 1n << 255n;
const ZERO = `0x${'0'.repeat(40)}`;

export function transactionWarnings(
  transaction: Transaction,
  decoded: Decoded,
  account?: string,
): readonly Warning[] {
  const { to, value } = transaction;
  const found: Warning[] = [];
  if (to === undefined) found.push('contract-creation');
  else if (decoded.kind === 'unknown') found.push(value > 0n ? 'value-with-unknown-call' : 'unknown-call');
  else if (decoded.kind === 'malformed') found.push('malformed-call');
  else found.push(...callWarnings(decoded, to, transaction.from ?? account));
  if (to === ZERO && !found.includes('zero-recipient')) found.push('zero-recipient');
  const { gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = transaction;
  if ([gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce].some((fixed) => fixed !== undefined))
    found.push('fees-fixed');
  return found;
}

function callWarnings(decoded: Decoded, contract: string, account: string | undefined): readonly Warning[] {
  if (decoded.kind !== 'known') return [];
  const found: Warning[] = [];
  const allowance = amountArgument(decoded, decoded.name === 'approve' ? 'amount' : 'added');
  if (['approve', 'increaseAllowance'].includes(decoded.name) && allowance !== undefined && allowance >= HALF)
    found.push('unlimited-approval');
  if (decoded.name === 'setApprovalForAll' && argument(decoded, 'approved') === true)
    found.push('approval-for-all');
  const recipient = addressArgument(decoded, 'to');
  if (recipient === ZERO) found.push('zero-recipient');
  if (recipient === contract) found.push('to-token-itself');
  const source = addressArgument(decoded, 'from');
  if (source !== undefined && source !== account) found.push('from-someone-else');
  if (/Ownership$/.test(decoded.name)) found.push('ownership');
  return found;
}
