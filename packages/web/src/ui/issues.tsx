import type { Issue } from '@handover/core';
import { plainText } from '../format/plain-text.js';

/** The warnings of the server's own validation. */
export function Issues({ issues = [] }: { readonly issues?: readonly Issue[] | undefined }) {
  if (issues.length === 0) return null;
  return (
    <details class="raw">
      <summary>Remarks of the validation ({issues.length})</summary>
      <ul class="plain-list">
        {issues.map(({ code, message, path }) => (
          <li key={`${code}${path}`}>
            <code>{code}</code> <bdi>{plainText(message, 300)}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}
