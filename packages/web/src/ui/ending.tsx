/** How the request ended. Shown first once the person has nothing left to do, or can only wait. */

import type { HandoffRecord } from '../model/record.js';
import { endingWords } from './ending-words.js';
import { Icon } from './icon.js';

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
