/** What a page says while a request is withdrawn and not finished, or everything was told and is being looked at. */
import { Effect } from '@handover/core';
import {
  currentStep,
  isLookedAt,
  isUnlooked,
  isUnseen,
  mayHaveOtherPrompt,
  waitsForOwners,
} from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { type EndingWords, words } from './ending-shape.js';
import { isDoubtful, LATE_SIGNATURE, LATE_UNSEEN, stepWords } from './step-words.js';

/** Its time has passed while a wallet may still act: it ends when the chain has been looked at. */
function late(record: HandoffRecord, isAsked: boolean): EndingWords {
  if (isAsked)
    return words(
      'busy',
      'warning',
      'Its time is over, but your wallet was asked',
      'Your wallet may still show the prompt: refuse it there. If you sign it, it will be paid and recorded.',
    );
  const rest = stillOpen(record, 'What was told before is still looked for on the network, and recorded.');
  return words('busy', 'warning', 'Its time is over, not finished', `It is not asked for any more. ${rest}`);
}

/** What may still happen to a request that is not asked for any more. */
function stillOpen(record: HandoffRecord, lookedFor: string): string {
  if (record.steps.some((step) => mayHaveOtherPrompt(record, step)))
    return isLookedAt(record) ? LATE_SIGNATURE : LATE_UNSEEN;
  return isLookedAt(record) ? lookedFor : BLIND;
}

const BLIND =
  'This server cannot see that network: it has recorded what it was told, and cannot confirm what happened. Look up the hashes yourself.';

export function underWay(record: HandoffRecord): EndingWords | undefined {
  const { closing, effect, steps } = record;
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
          `It is not asked for again. ${stillOpen(record, 'What was sent before is still looked for on the chain, and recorded.')}`,
        );
  if (record.late && effect === Effect.Unknown && currentStep(record)) return late(record, isAsked);
  if (currentStep(record) || steps.length === 0) return undefined;
  if (!isLookedAt(record)) return words('busy', 'warning', 'Told, not verified', BLIND);
  const doubtful = steps.find(isDoubtful);
  if (doubtful) return words('busy', 'warning', 'Told, not certain', stepWords(record, doubtful) ?? '');
  const unseen = steps.find((step) => isUnseen(record, step));
  if (unseen) return words('busy', 'warning', 'Told, not seen yet', stepWords(record, unseen) ?? '');
  const proposed = steps.find(waitsForOwners);
  if (proposed) return words('busy', 'wait', 'Proposed to your Safe', stepWords(record, proposed) ?? '');
  if (steps.some((step) => isUnlooked(record, step)))
    return words(
      'busy',
      'wait',
      'Told, being looked up',
      'The server looks for it on the network. You may close this page.',
    );
  return words(
    'busy',
    'wait',
    'Sent, being verified',
    'The server waits until the network has confirmed it. You may close this page.',
  );
}
