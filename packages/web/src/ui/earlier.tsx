import { formatTime } from '../format/time.js';
import type { HandoffRecord } from '../model/record.js';
import { Icon } from './icon.js';
import { twinWords } from './twin-words.js';

/** What this request has to do with others: nobody should pay twice without noticing. */
export function Earlier({ record }: { readonly record: HandoffRecord }) {
  const { replaces } = record;
  const twin = twinWords(record);
  return (
    <>
      {twin !== undefined && (
        <p class="notice error" role="note" data-warning="REPEATED">
          <Icon name="warning" />
          <span>{twin}</span>
        </p>
      )}
      {replaces && (
        <p class="notice" role="note">
          Replaces the request of {formatTime(replaces.createdAt)}, of which nothing was sent.
        </p>
      )}
    </>
  );
}
