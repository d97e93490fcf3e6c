import { canAsk } from '../model/progress.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

/** Both regions are always there: screen readers do not read out text in a region that was just added. */
export function NoticeArea() {
  const { notice, record } = usePage().review;
  // What it says to do is not to be done any more once the request is withdrawn or its time has passed.
  const isEnded = record.value !== undefined && !canAsk(record.value);
  const value = notice.value?.tone === 'info' && isEnded ? undefined : notice.value;
  return (
    <div class="notices">
      <div role="status">
        {value?.tone === 'info' && (
          <p class="notice info">
            <Icon name="wait" />
            {value.text}
          </p>
        )}
      </div>
      <div role="alert">
        {value?.tone === 'error' && (
          <p class="notice error">
            <Icon name="warning" />
            {value.text}
          </p>
        )}
      </div>
    </div>
  );
}
