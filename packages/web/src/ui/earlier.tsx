import type { HandoffRecord } from '../model/record.js';
import { Icon } from './icon.js';
import { replacedWords } from './replaced-words.js';
import { twinWords } from './twin-words.js';

/** What this request has to do with others: nobody should pay twice without noticing. */
export function Earlier({ record }: { readonly record: HandoffRecord }) {
  const twin = twinWords(record);
  const replaced = replacedWords(record);
  return (
    <>
      {twin !== undefined && (
        <p class="notice error" role="note" data-warning="REPEATED">
          <Icon name="warning" />
          <span>{twin}</span>
        </p>
      )}
      {replaced &&
        (replaced.isWarning ? (
          <p class="notice error" role="note" data-warning="REPLACED_PROMPT">
            <Icon name="warning" />
            <span>{replaced.text}</span>
          </p>
        ) : (
          <p class="notice" role="note">
            {replaced.text}
          </p>
        ))}
    </>
  );
}
