import type { ComponentChildren } from 'preact';
import { AgentsName } from './agent-words.js';

/** The heading is this page's own; what the agent calls it stands below, marked as the agent's words. */
export function Heading({
  title,
  name,
  children,
}: {
  readonly title: string;
  /** What the agent calls it. */
  readonly name: unknown;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="heading">
      <h1>{title}</h1>
      <p class="quiet">{children}</p>
      <AgentsName name={name} />
    </div>
  );
}
