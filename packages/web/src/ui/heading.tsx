import type { ComponentChildren } from 'preact';
import { plainText } from '../format/plain-text.js';

/** The agent writes the title; this page writes the text below it. */
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
