/** The texts of all warnings of a page: those found in the bytes, and a few that only a page can find. */
import { CallWarning } from '@handover/evm';
import type { Transaction } from './normalise.js';

export const PageWarning = {
  FeesFixed: 'FEES_FIXED',
  HiddenCharacters: 'HIDDEN_CHARACTERS',
  LargeDocument: 'LARGE_DOCUMENT',
  LowBalance: 'LOW_BALANCE',
  AnotherChain: 'ANOTHER_CHAIN',
  OtherPrompt: 'OTHER_PROMPT',
  Silent: 'SILENT',
  TokensOnly: 'TOKENS_ONLY',
  Unwatched: 'UNWATCHED',
} as const;
export type PageWarning = (typeof PageWarning)[keyof typeof PageWarning];
export type Warning = CallWarning | PageWarning;

export const WARNINGS: Readonly<Record<Warning, string>> = {
  [CallWarning.ContractCreation]:
    'There is no recipient: this creates a new contract from the code in the data.',
  [CallWarning.UnlimitedApproval]:
    'This lets the spender take every token of this kind that the account holds, now and later, without asking again.',
  [CallWarning.ApprovalForAll]:
    'This lets the operator move every token of this collection that the account holds.',
  [CallWarning.OwnershipChange]:
    'This changes who controls the contract, and cannot be taken back from here.',
  [CallWarning.ExecutorAdded]: 'This lets another account run the processes of this contract.',
  [CallWarning.MovesTokensOfOthers]:
    'This may move tokens out of another account, on an approval that account gave.',
  [CallWarning.RecipientIsZero]: 'The recipient is the zero address: what goes there is lost.',
  [CallWarning.RecipientIsContract]:
    'The recipient is the token contract itself: tokens sent there are usually lost.',
  [CallWarning.UnknownFunction]:
    'The call cannot be put into words: its function is not one this page knows.',
  [CallWarning.ValueWithUnknownFunction]:
    'This sends coins together with a call that cannot be explained. Sign only if you know what the contract does.',
  [CallWarning.UnexpectedValue]: 'This sends coins with a function that takes none: they may be lost.',
  [CallWarning.MalformedCalldata]:
    'The data begins like a known function, but the bytes behind it do not fit. Do not sign unless you know why.',
  [CallWarning.TooLongToExplain]:
    'The data is too long to explain: it holds more values than anybody would read. Sign only if you trust where it comes from.',
  [CallWarning.ClaimDoesNotFit]: 'What the agent says about these bytes does not fit them.',
  [CallWarning.NothingToDo]: 'No coins and no data: this costs a fee and does nothing.',
  [PageWarning.FeesFixed]: 'The agent has fixed fees, gas or nonce. Your wallet shows what this may cost.',
  [PageWarning.HiddenCharacters]:
    'Text in this request holds invisible or direction-changing characters. They are written out as ⟨U+…⟩.',
  [PageWarning.LargeDocument]:
    'A document is larger than 32 KiB: deploying it costs much gas and may exceed the limit of the chain.',
  [PageWarning.LowBalance]: 'The account may not hold enough for the estimated cost.',
  [PageWarning.OtherPrompt]:
    'An earlier prompt of this step may still be open in your wallet: refuse it there. If both are signed, both may be paid.',
  [PageWarning.Silent]:
    'This server cannot see this network just now, because its node does not answer: it will record what your wallet says, and check it when it can.',
  [PageWarning.AnotherChain]:
    'This server cannot see this network just now, because its node shows another one: it will record what your wallet says, and check it once its operator has mended that.',
  [PageWarning.TokensOnly]:
    'Your account is a contract, and this server can prove payments of your kind of account only for tokens, unless it is a well-known Safe. Your agent may be told that it is not known whether this was done.',
  [PageWarning.Unwatched]:
    'This server cannot see this network: it will record what your wallet says, and can prove nothing. Check yourself what became of it.',
};

export function feeWarnings(transaction: Transaction): readonly Warning[] {
  const { gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = transaction;
  const fixed = [gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce].some(
    (value) => value !== undefined,
  );
  return fixed ? [PageWarning.FeesFixed] : [];
}
