import type { Part } from '../transaction/describe.js';
import { Address } from './address.js';

export function Sentence({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <p class="sentence">
      {parts.map((part) => {
        if (typeof part === 'string') return part;
        if ('strong' in part) return <strong key={part.strong}>{part.strong}</strong>;
        return <Address key={part.address} value={part.address} />;
      })}
      .
    </p>
  );
}
