/** How the request ended. Shown first once the person has nothing left to do, or can only wait. */

import { isOver } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import type { EndingWords } from './ending-shape.js';
import { endingWords } from './ending-words.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

const CHANGED: EndingWords = {
  tone: 'bad',
  icon: 'warning',
  title: 'Do not sign',
  text: 'What is shown here is not what your agent was shown. It cannot be signed on this page.',
};

export function Ending({ record }: { readonly record: HandoffRecord }) {
  const { isChanged, chain } = usePage().review;
  const words =
    isChanged.value && !isOver(record) ? CHANGED : endingWords(record, { currency: chain.value?.currency });
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
