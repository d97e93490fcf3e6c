/** Where a step stands, in a few words. */
import {
  canAsk,
  isLookedAt,
  isOpen,
  isUnlooked,
  isUnseen,
  mayHaveOtherPrompt,
  timesDone,
  waitsForOwners,
} from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import type { IconName } from './icon-paths.js';
import { howOften, VERBS } from './often-words.js';
import { isDoubtful } from './step-words.js';

export interface State {
  readonly tone: 'idle' | 'busy' | 'good' | 'bad';
  readonly icon?: IconName;
  readonly text: string;
}

export function stepState(
  record: HandoffRecord,
  step: Step,
  /** What this page lacks to have it signed. */
  waitsFor?: string,
): State {
  if (step.effect === 'exceeded') return { tone: 'bad', icon: 'warning', text: exceededText(record, step) };
  switch (step.status) {
    case 'pending':
      if (!canAsk(record)) return { tone: 'idle', text: 'Not asked for' };
      if (waitsFor !== undefined) return { tone: 'bad', icon: 'warning', text: `Waits for ${waitsFor}` };
      return isOpen(record, step)
        ? { tone: 'idle', text: 'Ready' }
        : { tone: 'idle', icon: 'wait', text: 'Waits for the step before' };
    case 'requested':
      return { tone: 'busy', icon: 'wait', text: 'Wallet was asked' };
    case 'failed':
      return step.effect === 'none'
        ? { tone: 'bad', icon: 'stop', text: 'Not done' }
        : {
            tone: 'busy',
            icon: 'wait',
            text: mayHaveOtherPrompt(record, step) ? 'Said: not signed' : 'Not known',
          };
    case 'skipped':
      return { tone: 'good', icon: 'done', text: 'Already there' };
    case 'confirmed':
      return { tone: 'good', icon: 'done', text: 'Confirmed on the chain' };
    case 'submitted':
      return submittedState(record, step);
  }
}

const TOLD: State = { tone: 'busy', icon: 'wait', text: 'Told, not verified' };

const exceededText = ({ family }: HandoffRecord, step: Step): string =>
  timesDone(step) > 1 ? `${VERBS[family]} ${howOften(timesDone(step))}` : 'Sent, and something else with it';

function submittedState(record: HandoffRecord, step: Step): State {
  const { verification, blockNumber, effect } = step;
  if (!isLookedAt(record) && effect === 'unknown') return TOLD;
  if (isDoubtful(step)) return { tone: 'busy', icon: 'warning', text: 'Not certain' };
  if (isUnseen(record, step)) return { tone: 'busy', icon: 'warning', text: 'Not seen by the network' };
  if (isUnlooked(record, step)) return { tone: 'busy', icon: 'wait', text: 'Told, being looked up' };
  if (waitsForOwners(step)) return { tone: 'busy', icon: 'wait', text: 'Waiting for owners' };
  if (effect === 'different') return { tone: 'bad', icon: 'warning', text: 'Does not match what was asked' };
  switch (verification) {
    case 'mismatched':
      return { tone: 'busy', icon: 'warning', text: 'Does not match so far' };
    case 'reorged':
      return { tone: 'busy', icon: 'wait', text: 'The chain took it back; checking again' };
    case 'unverified':
      return TOLD;
    case 'matched':
      return { tone: 'good', icon: 'done', text: 'Found on the chain' };
    case 'pending':
      return {
        tone: 'busy',
        icon: 'wait',
        text: blockNumber === undefined ? 'Sent, waiting for a block' : 'In a block, being confirmed',
      };
  }
}
