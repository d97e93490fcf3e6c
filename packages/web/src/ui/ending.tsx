/** How the request ended. Shown first once the person has nothing left to do, or can only wait. */

import { currentStep, isOver } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { Icon, type IconName } from './icon.js';

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
  const { status, verification, closed } = record;
  const [title, text] = DONE[record.family];
  if (status === 'completed' || status === 'deployed') return { tone: 'good', icon: 'done', title, text };
  if (status === 'partial')
    return {
      tone: 'busy',
      icon: 'warning',
      title: 'Started in part',
      text: 'Some sessions were started and found on the network, others not. Your agent can see which.',
    };
  if (status === 'cancelled')
    return {
      tone: 'bad',
      icon: 'stop',
      title: 'Declined or withdrawn',
      text: 'Nothing was sent, and this link can no longer be used. Your agent knows.',
    };
  if (status === 'expired')
    return {
      tone: 'bad',
      icon: 'wait',
      title: 'This request has expired',
      text: 'It can no longer be signed.',
    };
  if (closed)
    return {
      tone: 'busy',
      icon: 'warning',
      title: 'Sent, never verified',
      text: 'The time of this request is over, and this server could not look at the chain. Look up the hashes yourself.',
    };
  if (verification === 'mismatched')
    return {
      tone: 'bad',
      icon: 'warning',
      title: 'The chain shows something else',
      text: 'What was reported is not what was asked for. It does not count as done.',
    };
  if (isOver(record))
    return {
      tone: 'bad',
      icon: 'stop',
      title: 'Failed',
      text: 'This request ended without success. Your agent knows, and can prepare a new one.',
    };
  if (currentStep(record) || record.steps.length === 0) return undefined;
  if (verification === 'unverified' && !record.watched)
    return {
      tone: 'busy',
      icon: 'warning',
      title: 'Sent, not verified',
      text: 'This server has no access to that network, so it cannot confirm what happened. Look up the hashes yourself.',
    };
  return {
    tone: 'busy',
    icon: 'wait',
    title: 'Sent, being verified',
    text: 'The server waits until the network has confirmed it. You may close this page.',
  };
}

export function Ending({ record }: { readonly record: HandoffRecord }) {
  const words = endingWords(record);
  return (
    <div role="status" class="ending-area">
      {words && (
        <section class={`ending ${words.tone}`}>
          <Icon name={words.icon} />
          <div>
            <h2>{words.title}</h2>
            <p>{words.text}</p>
          </div>
        </section>
      )}
    </div>
  );
}
