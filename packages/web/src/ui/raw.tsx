/** The exact content, for those who compare. Invisible characters are written out here, too. */
import { plainText } from '../format/plain-text.js';

const MAX_RAW = 200_000;

export function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return (
    <details class="raw">
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <pre tabIndex={0}>{plainText(text, MAX_RAW)}</pre>
    </details>
  );
}
