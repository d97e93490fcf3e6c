import { WARNINGS, type Warning } from '../transaction/warnings.js';
import { Icon } from './icon.js';

export function WarningList({ warnings }: { readonly warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Warnings">
      {warnings.map((warning) => (
        <li key={warning} data-warning={warning}>
          <Icon name="warning" />
          <span>{WARNINGS[warning]}</span>
        </li>
      ))}
    </ul>
  );
}
