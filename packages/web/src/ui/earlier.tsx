import { formatTime } from '../format/time.js';
import type { HandoffRecord } from '../model/record.js';
import { Icon } from './icon.js';

/** What this request has to do with an earlier one: nobody should pay twice without noticing. */
export function Earlier({ record: { replaces, repeats } }: { readonly record: HandoffRecord }) {
  return (
    <>
      {repeats && (
        <p class="notice error" role="note" data-warning="REPEATED">
          <Icon name="warning" />
          {repeats.stepIds ? 'A part of this' : 'The same'} was asked for at {formatTime(repeats.createdAt)},
          and {became(repeats.effect)}. Sign only if it is to be paid again.
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

function became(effect: string): string {
  if (effect === 'none') return 'could still be signed there when this was made';
  return effect === 'done' || effect === 'exceeded' ? 'was paid' : 'may have been paid';
}
