import { plainText } from '../format/plain-text.js';
import { quoted } from '../format/quoted.js';
import type { JsonRecord } from '../model/record.js';
import { Facts } from './facts.js';

const MAX_FACTS = 12;

/** The agent's own summary. It is marked as such, because it does not decide what will happen. */
export function AgentWords({ summary }: { readonly summary: JsonRecord }) {
  const facts = Object.entries(summary).filter(([key]) => key !== 'title');
  if (facts.length === 0) return null;
  return (
    <section class="card" aria-labelledby="agent-title">
      <h2 id="agent-title">What the agent says</h2>
      <p class="quiet">The agent's words. They do not change what you sign.</p>
      <Facts
        facts={facts
          .slice(0, MAX_FACTS)
          .map(([key, value]) => [plainText(key, 40), <bdi key={key}>{plainText(value, 500)}</bdi>] as const)}
      />
    </section>
  );
}

/** What the agent calls something: quoted, and never a heading, for the agent could write there what a heading says. */
export function AgentsName({ name }: { readonly name: unknown }) {
  if (typeof name !== 'string' || name === '') return null;
  return (
    <blockquote class="agents-name">
      The agent calls it “<bdi>{quoted(name, 200)}</bdi>”
    </blockquote>
  );
}
