import type { ComponentChildren } from 'preact';
import { plainText } from '../format/plain-text.js';

/** The title is the agent's; what stands below it is not. */
export function Heading({
  kind,
  title,
  children,
}: {
  readonly kind: string;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="heading">
      <p class="eyebrow">{kind}</p>
      <h1>
        <bdi>{plainText(title, 160)}</bdi>
      </h1>
      <p class="quiet">{children}</p>
    </div>
  );
}
