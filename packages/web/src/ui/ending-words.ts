/**
 * What a page says of how a request stands, once the person has nothing left to do or can only wait.
 *
 * "Nothing was sent" stands only where the server's `effect` is `none`, and says on whose word.
 */
import { Effect, OperationStatus, ReasonCode } from '@handover/core';
import { isLookedAt, isOver, spareOf, timesDone } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { type EndingWords, words } from './ending-shape.js';
import { oftenWords, VERBS } from './often-words.js';
import { type Besides, difference, LATE_SIGNATURE, LATE_UNSEEN, stepWords } from './step-words.js';
import { underWay } from './under-way-words.js';

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

export function endingWords(record: HandoffRecord, besides: Besides = {}): EndingWords | undefined {
  return moreThanAsked(record, besides) ?? over(record, besides) ?? underWay(record);
}

function moreThanAsked(record: HandoffRecord, besides: Besides): EndingWords | undefined {
  if (record.effect === Effect.Exceeded) return exceeded(record, besides);
  if (record.effect === Effect.Different)
    return words(
      'bad',
      'warning',
      'The chain shows something else',
      `What was sent is not what was asked for${difference(record)}. It does not count as done.`,
    );
  return undefined;
}

function exceeded(record: HandoffRecord, besides: Besides): EndingWords {
  const twice = record.steps.filter((step) => step.effect === Effect.Exceeded && timesDone(step) > 1);
  if (twice.length === 0)
    return words(
      'bad',
      'warning',
      'More was sent than was asked for',
      'It was carried out as asked, and something else was sent with it. The hashes are below; your agent can see them.',
    );
  const said = twice.map((step) => oftenWords(record, step, besides));
  const only = said.length === 1 ? said[0] : undefined;
  const title = only ?? `${VERBS[record.family]} more than once`;
  return words(
    'bad',
    'warning',
    title,
    `${only === undefined ? `${said.join('. ')}. Each` : 'It'} was asked for once. All hashes are below; your agent can see them.`,
  );
}

function over(record: HandoffRecord, besides: Besides): EndingWords | undefined {
  const [title, text] = DONE[record.family];
  switch (record.status) {
    case OperationStatus.Completed:
    case OperationStatus.Deployed:
      return done(record, title, `${text}${AFTER[record.reasonCode as ReasonCode] ?? ''}`);
    case OperationStatus.Partial:
      return words('busy', 'warning', 'Done in part', inPart(record));
    case OperationStatus.Cancelled:
      return words('bad', 'stop', ...cancelled(record, besides));
    case OperationStatus.Expired:
      return words(
        'bad',
        'wait',
        'This request has expired',
        `${nothingSent(record, besides)} ${fromNowOn(record)}`,
      );
    default:
      return endedOtherwise(record, besides);
  }
}

const SPARE = {
  claim: 'Another hash was told for it, and is being checked: it may have been paid twice.',
  prompt:
    'Another prompt for it was never answered: if it is still open, refuse it in your wallet. If it is signed, it will be paid a second time.',
} as const;

function done(record: HandoffRecord, title: string, text: string): EndingWords {
  const spare = spareOf(record);
  if (spare === undefined) return words('good', 'done', title, text);
  return spare === 'unseen'
    ? words('good', 'done', title, `${text} ${UNSEEN}`)
    : words('busy', 'warning', `${title}, but look in your wallet`, `${text} ${SPARE[spare]}`);
}

const UNSEEN =
  'A hash was also given that the network has not shown; if it was a typo, nothing more happens.';

/** Where somebody only said that it was not signed, the prompt may be open for ever. */
function fromNowOn(record: HandoffRecord): string {
  if (!record.steps.some(({ reasonCode }) => reasonCode === ReasonCode.NotSigned))
    return 'It can no longer be signed.';
  return `It is not asked for any more. ${isLookedAt(record) ? LATE_SIGNATURE : LATE_UNSEEN}`;
}

function endedOtherwise(record: HandoffRecord, besides: Besides): EndingWords | undefined {
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
    `This request ended without success. ${nothingSent(record, besides)} Your agent knows, and can prepare a new one.`,
  );
}

function inPart({ steps }: HandoffRecord): string {
  const done = steps.filter(({ effect }) => effect === Effect.Done).length;
  const were = done === 1 ? 'was' : 'were';
  return `${done} of ${steps.length} ${were} done; the others were not sent. Your agent can see which.`;
}

function cancelled(record: HandoffRecord, besides: Besides): readonly [title: string, text: string] {
  const end = `${nothingSent(record, besides)} ${fromNowOn(record)} Your agent knows.`;
  const by = record.closing?.replacedBy;
  if (by !== undefined)
    return [
      'Replaced',
      `The agent has replaced it by a newer request, ${by}: your agent has its link, so ask it for that. ${end}`,
    ];
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

/** Empty where nobody knows. */
export function nothingSent(record: HandoffRecord, besides: Besides = {}): string {
  const { effect, steps, status, closing } = record;
  if (effect !== Effect.None) return '';
  const said = steps.map((step) => stepWords(record, step, besides)).find((text) => text !== undefined);
  if (said !== undefined) return said;
  // A page that is not ours may have asked without a word.
  return status === OperationStatus.Failed && !closing
    ? 'Nothing was sent, as the page reported.'
    : 'Nothing was sent: no wallet was asked.';
}
