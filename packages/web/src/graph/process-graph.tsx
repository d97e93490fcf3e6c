/** The process as a picture, and the same in words for people who cannot see the picture. */
import { useMemo } from 'preact/hooks';
import { plainText } from '../format/plain-text.js';
import type { Graph } from '../model/record.js';
import { layout } from './layout.js';
import { type Part, type Parts, partsOf } from './parts.js';
import { Picture } from './picture.js';

export function ProcessGraph({ graph }: { readonly graph: Graph }) {
  // The record is read again and again: lay out the same process only once.
  const text = JSON.stringify([graph.nodes, graph.joins, graph.edges]);
  const { parts, picture } = useMemo(() => {
    const parts = partsOf(graph);
    return { parts, picture: layout(parts) };
  }, [text]);
  return (
    <figure class="graph">
      {picture && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture scrolls, also by keyboard.
        <section class="graph-scroll" tabIndex={0} aria-label="Picture of the process">
          <Picture picture={picture} />
        </section>
      )}
      <figcaption class="quiet">
        {picture
          ? `Solid: when a step is valid. Dashed: when it is not. Thick border: where it can begin.${graph.joins.length > 0 ? ' Round: waits for other steps.' : ''}`
          : 'The process is too large to be drawn.'}
      </figcaption>
      <details class="raw" open={!picture}>
        <summary>The process in words</summary>
        <Words {...parts} />
      </details>
    </figure>
  );
}

const nameOf = (part: Part): string => part.lines.map((line) => plainText(line, 60)).join(' – ');

function Words({ parts, arrows }: Parts) {
  return (
    <ul class="plain-list">
      {arrows.map(({ source, target, label }, index) => (
        <li key={`${source.id}/${target.id}/${index}`}>
          <bdi>{nameOf(source)}</bdi> → <bdi>{nameOf(target)}</bdi>{' '}
          <span class="quiet">
            <bdi>{plainText(label, 60)}</bdi>
          </span>
        </li>
      ))}
      {arrows.length === 0 &&
        parts.map((part) => (
          <li key={part.id}>
            <bdi>{nameOf(part)}</bdi>
          </li>
        ))}
    </ul>
  );
}
