/**
 * What a page says of how a request stands, once the person has nothing left to do or can only wait.
 *
 * "Nothing was sent" stands only where the server's `effect` is `none`, and says on whose word.
 */
import { Effect, OperationStatus, ReasonCode } from '@handover/core';
import { currentStep, isOver } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import type { IconName } from './icon-paths.js';
import { difference, isDoubtful, stepWords } from './step-words.js';

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

/** It happened although somebody, or time, had wanted it ended. */
const AFTER: Partial<Record<ReasonCode, string>> = {
  [ReasonCode.SentAfterDecline]: ' It was signed although it had been declined on this page.',
  [ReasonCode.SentAfterCancel]: ' It was signed although it had been withdrawn.',
  [ReasonCode.SentAfterExpiry]: ' It was signed after its time had passed.',
};

export function endingWords(record: HandoffRecord): EndingWords | undefined {
  return moreThanAsked(record) ?? over(record) ?? underWay(record);
}

function moreThanAsked(record: HandoffRecord): EndingWords | undefined {
  if (record.effect === Effect.Exceeded)
    return words(
      'bad',
      'warning',
      'More was sent than was asked for',
      'It was paid more than once, or something else went with it. The hashes are below; your agent can see them.',
    );
  if (record.effect === Effect.Different)
    return words(
      'bad',
      'warning',
      'The chain shows something else',
      `What was sent is not what was asked for${difference(record)}. It does not count as done.`,
    );
  return undefined;
}

function over(record: HandoffRecord): EndingWords | undefined {
  const [title, text] = DONE[record.family];
  switch (record.status) {
    case OperationStatus.Completed:
    case OperationStatus.Deployed:
      return words('good', 'done', title, `${text}${AFTER[record.reasonCode as ReasonCode] ?? ''}`);
    case OperationStatus.Partial:
      return words('busy', 'warning', 'Done in part', inPart(record));
    case OperationStatus.Cancelled:
      return words('bad', 'stop', ...cancelled(record));
    case OperationStatus.Expired:
      return words(
        'bad',
        'wait',
        'This request has expired',
        `${nothingSent(record)} It can no longer be signed.`,
      );
    default:
      return endedOtherwise(record);
  }
}

function endedOtherwise(record: HandoffRecord): EndingWords | undefined {
  if (record.closed)
    return words(
      'busy',
      'warning',
      'Not known',
      'It is not known whether this was sent. Look in your wallet; a hash that it shows can still be told here.',
    );
  if (!isOver(record)) return undefined;
  return words(
    'bad',
    'stop',
    'Failed',
    `This request ended without success. ${nothingSent(record)} Your agent knows, and can prepare a new one.`,
  );
}

function inPart({ steps }: HandoffRecord): string {
  const done = steps.filter(({ effect }) => effect === Effect.Done).length;
  const were = done === 1 ? 'was' : 'were';
  return `${done} of ${steps.length} ${were} done; the others were not sent. Your agent can see which.`;
}

function cancelled(record: HandoffRecord): readonly [title: string, text: string] {
  const end = `${nothingSent(record)} It can no longer be signed. Your agent knows.`;
  switch (record.closing?.by) {
    case 'holder':
      return ['Declined', `It was declined on this page, by a holder of the link. ${end}`];
    case 'admin':
      return ['Withdrawn', `The operator of this server has withdrawn it. ${end}`];
    case 'creator':
    case 'secret':
      return ['Withdrawn', `The agent has withdrawn it. ${end}`];
    case undefined:
      return ['Declined or withdrawn', end];
  }
}

function underWay(record: HandoffRecord): EndingWords | undefined {
  const { closing, effect, verification, watched, steps } = record;
  const isAsked = steps.some(({ status }) => status === 'requested');
  if (closing && effect === Effect.Unknown)
    return isAsked
      ? words(
          'busy',
          'warning',
          'Withdrawn, but your wallet was asked',
          'Your wallet may still show the prompt: refuse it there. If you sign it, it will be paid and recorded.',
        )
      : words(
          'busy',
          'warning',
          'Withdrawn, not finished',
          'It is not asked for again. What was sent before is still looked for on the chain, and recorded.',
        );
  if (currentStep(record) || steps.length === 0) return undefined;
  const doubtful = steps.find(isDoubtful);
  if (doubtful) return words('busy', 'warning', 'Told, not certain', stepWords(record, doubtful) ?? '');
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
export function nothingSent(record: HandoffRecord): string {
  const { effect, steps, status, closing } = record;
  if (effect !== Effect.None) return '';
  const said = steps.map((step) => stepWords(record, step)).find((text) => text !== undefined);
  if (said !== undefined) return said;
  // A page that is not ours may have asked without a word.
  return status === OperationStatus.Failed && !closing
    ? 'Nothing was sent, as the page reported.'
    : 'Nothing was sent: no wallet was asked.';
}
