/**
 * What a page says of a step that did not simply go through. "Nothing was sent" stands only where the step's `effect` is
 * `none`, and says on whose word.
 */
import { CONTESTED, Effect, ReasonCode } from '@handover/core';
import { formatUnits, grouped } from '../format/units.js';
import type { ChainInfo } from '../model/chain-info.js';
import { canAsk, isLookedAt, isUnseen, mayHaveOtherPrompt, timesDone } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { oftenWords } from './often-words.js';

const NONE: Partial<Record<ReasonCode, string>> = {
  [ReasonCode.Rejected]: 'Nothing was sent: your wallet reported that you refused.',
  [ReasonCode.Replaced]: 'It was not carried out: another transaction of the same account took its place.',
  [ReasonCode.Unanswered]: 'Nothing was started: the permit has run out unused.',
};

const UNKNOWN: Partial<Record<ReasonCode, string>> = {
  [ReasonCode.Unanswered]: 'It is not known whether this was sent. Look in your wallet.',
  [ReasonCode.NotSeen]:
    'This hash was given, but the network does not know it. Look in the wallet; to be sure that it never happens, cancel it there, which uses up its number.',
  [ReasonCode.Dropped]:
    'The network has dropped this transaction, but it can still come back. To be sure that it never happens, cancel it in the wallet, which uses up its number.',
  [ReasonCode.InnerCallUnproven]:
    'A transaction was found, but this server cannot show that it did what was asked for.',
  [ReasonCode.HashUsed]:
    'That transaction belongs to another request. Give the hash of the one for this request, or say that you did not sign.',
  [ReasonCode.TooOld]:
    'That transaction is older than this request, or was sent before your wallet was asked here. Give the hash of the one for this request, or say that you did not sign.',
  [ReasonCode.SenderUnbound]:
    'That transaction was sent by an account that was never asked on this page, so it does not count for this request.',
  [ReasonCode.Reorged]: 'The network took back the block of this transaction. The server looks again.',
  [ReasonCode.Unverified]: 'This server cannot look at that network, so it cannot tell what happened.',
  [ReasonCode.RpcWrongChain]: 'The node of this server shows another network. Its operator must mend that.',
  [ReasonCode.RpcUnavailable]: 'The node of this server does not answer. It goes on trying.',
  [ReasonCode.SpedUp]: 'It was sent again with a higher fee. The server follows the new hash.',
};

/** The same of sessions, which are told by their number. */
const UNKNOWN_SESSION: typeof UNKNOWN = {
  [ReasonCode.HashUsed]:
    'That session belongs to another request. Give the number of the one for this request, or say that you did not sign.',
  [ReasonCode.TooOld]:
    'That session is older than this request, or was started before your wallet was asked here. Give the number of the one for this request, or say that you did not sign.',
  [ReasonCode.SenderUnbound]:
    'That session was started by an account that was never asked on this page, so it does not count for this request.',
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

/** What this browser knows besides the record. */
export interface Besides {
  readonly currency?: ChainInfo['currency'] | undefined;
  /** This page has the wallet's prompt open. */
  readonly isPrompting?: boolean;
}

const UNSEEN =
  'The network does not know this hash yet. Compare it with your wallet: if it is not the same, give the right one below.';

const MADE: Readonly<Record<HandoffRecord['family'], string>> = {
  operation: 'made this payment',
  bundle_deploy: 'made this deployment',
  session_start: 'started this session',
};

const countedElsewhere = ({ family }: HandoffRecord): string =>
  `The account that was asked has ${MADE[family]}, but it was counted for a request of somebody else. Do not sign again: speak with whoever asked you for it.`;

/** Undefined: there is nothing to say. */
export function stepWords(record: HandoffRecord, step: Step, besides: Besides = {}): string | undefined {
  const { effect, reasonCode: code } = step;
  if (isUnseen(record, step) && !isDoubtful(step)) return UNSEEN;
  if (code === undefined) return undefined;
  if (code === ReasonCode.HashUsed && step.reasonDetail === CONTESTED) return countedElsewhere(record);
  switch (effect) {
    case Effect.None:
      return noneWords(step, code, besides);
    case Effect.Unknown:
      if (step.status === 'failed' && mayHaveOtherPrompt(record, step)) return saidNotSigned(record, besides);
      return unknownWords(record, step, code);
    case Effect.Different:
      return `What was sent is not what was asked for${difference(step)}. It does not count as done.`;
    case Effect.Exceeded:
      return timesDone(step) > 1
        ? `${oftenWords(record, step, besides)}. It was asked for once.`
        : 'It was carried out as asked, and something else was sent with it.';
    case Effect.Done:
    case Effect.Partial:
      return undefined;
  }
}

function noneWords(step: Step, code: ReasonCode, { currency }: Besides): string | undefined {
  switch (code) {
    case ReasonCode.WalletError:
      return neverAsked(step);
    case ReasonCode.NotSigned:
      return `Nothing was sent, as was said on this page; the chain shows nothing of it${upTo(step)}.`;
    case ReasonCode.Reverted:
      return `It was sent and had no effect; the fee${feeOf(step, currency)} is spent.`;
    default:
      return NONE[code];
  }
}

const upTo = ({ reasonBlock }: Step): string =>
  reasonBlock === undefined ? '' : ` up to block ${grouped(String(reasonBlock))}`;

function feeOf({ claims = [] }: Step, currency: Besides['currency']): string {
  const fee = claims.findLast(({ reasonCode }) => reasonCode === ReasonCode.Reverted)?.fee;
  return fee === undefined || !currency
    ? ''
    : ` of ${formatUnits(BigInt(fee), currency.decimals)} ${currency.symbol}`;
}

const neverAsked = ({ walletCode }: Step): string =>
  walletCode === undefined
    ? 'Nothing was sent: this page stopped before your wallet was asked.'
    : 'Nothing was sent: your wallet did not open the request.';

function unknownWords({ family }: HandoffRecord, step: Step, code: ReasonCode): string | undefined {
  if (code === ReasonCode.SafePending) return waitingForOwners(step);
  const ofSession = family === 'session_start' ? UNKNOWN_SESSION[code] : undefined;
  if (ofSession !== undefined) return ofSession;
  return code === ReasonCode.Unanswered && step.error !== undefined ? WITH_ERROR : UNKNOWN[code];
}

const WITH_ERROR =
  'It is not known whether this was sent: your wallet was asked, and answered with an error. Look in your wallet.';

/** How many have to sign is what the contract says; who has signed is not on the chain before it is carried out. */
function waitingForOwners({ claims = [] }: Step): string {
  const owners = claims.findLast(({ reasonCode }) => reasonCode === ReasonCode.SafePending)?.owners;
  if (owners === undefined)
    return 'Your Safe holds the request, and it waits for the signatures of its other owners.';
  if (owners <= 1)
    return 'Your Safe holds the request. Its contract asks for one signature, so it only waits to be carried out.';
  const more = owners - 1;
  return `Waiting for ${more} more owner${more === 1 ? '' : 's'}: the contract of your Safe asks for ${owners} signatures, of which yours is one.`;
}

function saidNotSigned(record: HandoffRecord, { isPrompting = false }: Besides): string {
  if (!isLookedAt(record))
    return 'You said that you did not sign. This server cannot look at that network, so your agent is told that it is not known.';
  const again = canAsk(record) && !isPrompting ? '; you can try again now.' : `. ${LATE_SIGNATURE}`;
  return `You said that you did not sign. The chain is watched for 10 minutes before your agent is told so${again}`;
}

/** Nobody can close a prompt but the wallet. */
export const LATE_SIGNATURE =
  'If the prompt is still open, refuse it in your wallet: if you sign it, it will be paid, found and recorded.';

/** The same where this server cannot see the network. */
export const LATE_UNSEEN =
  'If the prompt is still open, refuse it in your wallet: if you sign it, it will be paid, and this server cannot see it.';

export function difference({ reasonDetail }: Pick<Step, 'reasonDetail'>): string {
  const words = reasonDetail === undefined ? undefined : DIFFERENCES[reasonDetail];
  return words === undefined ? '' : `: ${words}`;
}
