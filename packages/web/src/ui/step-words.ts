/**
 * What a page says of a step that did not simply go through. "Nothing was sent" stands only where the step's `effect` is
 * `none`, and says on whose word.
 */
import { Effect, ReasonCode } from '@handover/core';
import { mayHaveOtherPrompt } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';

const NONE: Partial<Record<ReasonCode, string>> = {
  [ReasonCode.Rejected]: 'Nothing was sent: your wallet reported that you refused.',
  [ReasonCode.NotSigned]: 'Nothing was sent, as was said on this page; the chain shows nothing of it.',
  [ReasonCode.Reverted]: 'It was sent and had no effect; the fee is spent.',
  [ReasonCode.Replaced]: 'It was not carried out: another transaction of the same account took its place.',
  [ReasonCode.Unanswered]: 'Nothing was started: the permit has run out unused.',
};

const UNKNOWN: Partial<Record<ReasonCode, string>> = {
  [ReasonCode.Unanswered]: 'It is not known whether this was sent. Look in your wallet.',
  [ReasonCode.NotSeen]:
    'Your wallet gave this hash, but the network does not know it. Look in the wallet; to be sure that it never happens, cancel it there, which uses up its number.',
  [ReasonCode.Dropped]:
    'The network has dropped this transaction, but it can still come back. To be sure that it never happens, cancel it in the wallet, which uses up its number.',
  [ReasonCode.SafePending]:
    'Your Safe holds the request, and it waits for the signatures of its other owners.',
  [ReasonCode.InnerCallUnproven]:
    'A transaction was found, but this server cannot show that it did what was asked for.',
  [ReasonCode.HashUsed]:
    'That transaction belongs to another request. Give the hash of the one for this request, or say that you did not sign.',
  [ReasonCode.TooOld]:
    'That transaction is older than this request. Give the hash of the one for this request, or say that you did not sign.',
  [ReasonCode.SenderUnbound]:
    'That transaction was sent by an account that was never asked on this page, so it does not count for this request.',
  [ReasonCode.Reorged]: 'The network took back the block of this transaction. The server looks again.',
  [ReasonCode.Unverified]: 'This server cannot look at that network, so it cannot tell what happened.',
  [ReasonCode.RpcWrongChain]: 'The node of this server shows another network. Its operator must mend that.',
  [ReasonCode.RpcUnavailable]: 'The node of this server does not answer. It goes on trying.',
  [ReasonCode.SpedUp]: 'It was sent again with a higher fee. The server follows the new hash.',
};

const DIFFERENCES: Readonly<Record<string, string>> = {
  from_differs: 'another account sent it',
  to_differs: 'it went to another address',
  value_differs: 'the amount of coins is another',
  data_differs: 'its data are others',
  chain_differs: 'it is on another network',
  delegates_account: 'it gives control of the account to another contract',
  contract_differs: 'another contract was created',
  code_differs: 'the code of the contract is another',
};

/** What was told is not simply on its way: these say what is wrong with it. */
const DOUBTS: ReadonlySet<ReasonCode> = new Set([
  ReasonCode.NotSeen,
  ReasonCode.Dropped,
  ReasonCode.InnerCallUnproven,
  ReasonCode.SenderUnbound,
  ReasonCode.RpcWrongChain,
  ReasonCode.RpcUnavailable,
]);
export const isDoubtful = ({ reasonCode, effect }: Pick<Step, 'reasonCode' | 'effect'>): boolean =>
  effect === Effect.Unknown && reasonCode !== undefined && DOUBTS.has(reasonCode);

/** Undefined: there is nothing to say. */
export function stepWords(record: HandoffRecord, step: Step): string | undefined {
  const { effect, reasonCode: code } = step;
  if (code === undefined) return undefined;
  switch (effect) {
    case Effect.None:
      return code === ReasonCode.WalletError ? neverAsked(step) : NONE[code];
    case Effect.Unknown:
      return step.status === 'failed' && mayHaveOtherPrompt(record, step)
        ? saidNotSigned(record)
        : UNKNOWN[code];
    case Effect.Different:
      return `What was sent is not what was asked for${difference(step)}. It does not count as done.`;
    case Effect.Exceeded:
      return 'This was sent more than once.';
    case Effect.Done:
    case Effect.Partial:
      return undefined;
  }
}

const neverAsked = ({ walletCode }: Step): string =>
  walletCode === undefined
    ? 'Nothing was sent: this page stopped before your wallet was asked.'
    : 'Nothing was sent: your wallet did not open the request.';

const saidNotSigned = ({ watched }: HandoffRecord): string =>
  watched
    ? 'You said that you did not sign. The chain is watched for 10 minutes before your agent is told so; you can try again now.'
    : 'You said that you did not sign. This server cannot look at that network, so your agent is told that it is not known.';

export function difference({ reasonDetail }: Pick<Step, 'reasonDetail'>): string {
  const words = reasonDetail === undefined ? undefined : DIFFERENCES[reasonDetail];
  return words === undefined ? '' : `: ${words}`;
}
