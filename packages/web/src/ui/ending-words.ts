/**
 * What a page says of how a request stands, once the person has nothing left to do or can only wait.
 *
 * "Nothing was sent" stands only where the server's `effect` is `none`, and says on whose word.
 */
import { Effect, OperationStatus, ReasonCode } from '@handover/core';
import { currentStep, isOver } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import type { IconName } from './icon.js';

export interface EndingWords {
  readonly tone: 'good' | 'bad' | 'busy';
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

const DONE: Readonly<Record<HandoffRecord['family'], readonly [title: string, text: string]>> = {
  operation: [
    'Done',
    'Every transaction was found on the chain, as it was asked for. Your agent can see it.',
  ],
  bundle_deploy: [
    'Deployed',
    'Every contract was found on the chain with the text shown here. Your agent can see it.',
  ],
  session_start: ['Started', 'Every session was found on the network. Your agent can see it.'],
};

export function endingWords(record: HandoffRecord): EndingWords | undefined {
  return moreThanAsked(record) ?? over(record) ?? underWay(record);
}

function moreThanAsked({ effect, reasonDetail }: HandoffRecord): EndingWords | undefined {
  if (effect === Effect.Exceeded)
    return words(
      'bad',
      'warning',
      'More was sent than was asked for',
      'It was paid more than once, or something else went with it. The hashes are below; your agent can see them.',
    );
  if (effect === Effect.Different)
    return words(
      'bad',
      'warning',
      'The chain shows something else',
      `What was sent is not what was asked for${reasonDetail === undefined ? '' : ` (${reasonDetail})`}. It does not count as done.`,
    );
  return undefined;
}

function over(record: HandoffRecord): EndingWords | undefined {
  const { status, closed, steps } = record;
  const [title, text] = DONE[record.family];
  if (status === OperationStatus.Completed || status === OperationStatus.Deployed)
    return words('good', 'done', title, text);
  if (status === OperationStatus.Partial) {
    const done = steps.filter(({ effect }) => effect === Effect.Done).length;
    return words(
      'busy',
      'warning',
      'Done in part',
      `${done} of ${steps.length} was done; the others were not sent. Your agent can see which.`,
    );
  }
  if (status === OperationStatus.Cancelled)
    return words(
      'bad',
      'stop',
      'Declined or withdrawn',
      `${nothingSent(record)} This link can no longer be used. Your agent knows.`,
    );
  if (status === OperationStatus.Expired)
    return words(
      'bad',
      'wait',
      'This request has expired',
      `${nothingSent(record)} It can no longer be signed.`,
    );
  if (closed)
    return words(
      'busy',
      'warning',
      'Not known',
      'It is not known whether this was sent. Look in your wallet; a hash that it shows can still be told here.',
    );
  if (isOver(record))
    return words(
      'bad',
      'stop',
      'Failed',
      `This request ended without success. ${nothingSent(record)} Your agent knows, and can prepare a new one.`,
    );
  return undefined;
}

function underWay(record: HandoffRecord): EndingWords | undefined {
  const { closing, effect, verification, watched } = record;
  if (closing && effect === Effect.Unknown)
    return words(
      'busy',
      'warning',
      'Withdrawn',
      'Your wallet may still show the prompt: refuse it there. If you sign it, it will be paid and recorded.',
    );
  if (currentStep(record) || record.steps.length === 0) return undefined;
  if (verification === 'unverified' && !watched)
    return words(
      'busy',
      'warning',
      'Sent, not verified',
      'This server has no access to that network, so it cannot confirm what happened. Look up the hashes yourself.',
    );
  return words(
    'busy',
    'wait',
    'Sent, being verified',
    'The server waits until the network has confirmed it. You may close this page.',
  );
}

const words = (tone: EndingWords['tone'], icon: IconName, title: string, text: string): EndingWords => ({
  tone,
  icon,
  title,
  text,
});

/** Empty where nobody knows. */
export function nothingSent({ effect, basis, feeSpent, steps, asks = [] }: HandoffRecord): string {
  if (effect !== Effect.None) return '';
  if (feeSpent) return 'It was sent and had no effect; the fee is spent.';
  const reasons = steps.map(({ reasonCode }) => reasonCode);
  if (reasons.includes(ReasonCode.Rejected))
    return 'Nothing was sent: your wallet reported that you refused.';
  if (reasons.includes(ReasonCode.WalletError))
    return 'Nothing was sent: your wallet did not open the request.';
  if (basis.includes('holder'))
    return 'Nothing was sent, as was said on this page; the chain shows nothing of it.';
  if (reasons.includes(ReasonCode.Replaced)) return 'Nothing was sent: another transaction took its place.';
  return asks.length === 0 && reasons.every((reason) => reason === undefined)
    ? 'Nothing was sent: no wallet was asked.'
    : 'Nothing was sent.';
}
