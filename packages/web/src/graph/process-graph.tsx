/** The process as a picture, and the same in words: nobody needs to see it to know it. */
import { plainText } from '../format/plain-text.js';
import type { Graph } from '../model/record.js';
import { layout, NODE, type Picture, type Placed } from './layout.js';

const MAX_LABEL = 19;

export function ProcessGraph({ graph }: { readonly graph: Graph }) {
  const picture = layout(graph);
  return (
    <figure class="graph">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture scrolls, also by keyboard. */}
      <section class="graph-scroll" tabIndex={0} aria-label="Picture of the process">
        <svg
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          width={picture.width}
          height={picture.height}
          role="img"
          aria-labelledby="graph-title"
        >
          <title id="graph-title">{`Process with ${picture.nodes.filter(({ isJoin }) => !isJoin).length} steps`}</title>
          <Arrow />
          {picture.edges.map((edge, index) => (
            <Edge key={`${edge.from}/${edge.to}/${index}`} edge={edge} />
          ))}
          {picture.nodes.map((node) => (
            <Node key={node.id} node={node} />
          ))}
        </svg>
      </section>
      <figcaption class="quiet">
        Solid: when a step is valid. Dashed: when it is not. Thick border: where it can begin.
      </figcaption>
      <details class="raw">
        <summary>The process in words</summary>
        <ul class="plain-list">
          {picture.edges.map(({ source, target, label }, index) => (
            <li key={`${source.id}/${target.id}/${index}`}>
              <bdi>{firstLine(source)}</bdi> → <bdi>{firstLine(target)}</bdi>{' '}
              <span class="quiet">
                <bdi>{plainText(label, 60)}</bdi>
              </span>
            </li>
          ))}
          {picture.edges.length === 0 &&
            picture.nodes.map((node) => (
              <li key={node.id}>
                <bdi>{firstLine(node)}</bdi>
              </li>
            ))}
        </ul>
      </details>
    </figure>
  );
}

function Arrow() {
  return (
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path class="arrow" d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
  );
}

/** Mermaid's line break is the only markup that labels carry. */
const lines = ({ label }: Placed): readonly string[] =>
  label.split(/<br\/?>|\n/).map((line) => plainText(unescaped(line), 60));
const firstLine = (node: Placed): string => lines(node).join(' – ');
const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const cut = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

function Node({ node }: { readonly node: Placed }) {
  const [first = '', second] = lines(node);
  const { x, y, isJoin, isEntry } = node;
  return (
    <g class={`node${isJoin ? ' join' : ''}${isEntry ? ' entry' : ''}`}>
      <title>{lines(node).join('\n')}</title>
      <rect
        x={x - NODE.width / 2}
        y={y - NODE.height / 2}
        width={NODE.width}
        height={NODE.height}
        rx={isJoin ? NODE.height / 2 : 9}
      />
      <text x={x} y={second === undefined ? y + 4 : y - 3} class="name">
        {cut(first)}
      </text>
      {second !== undefined && (
        <text x={x} y={y + 13} class="rule">
          {cut(second)}
        </text>
      )}
    </g>
  );
}

function Edge({ edge: { source, target, branch, label } }: { readonly edge: Picture['edges'][number] }) {
  const isDown = target.y > source.y;
  const from = { x: source.x, y: source.y + NODE.height / 2 };
  const to = isDown
    ? { x: target.x, y: target.y - NODE.height / 2 }
    : { x: target.x + NODE.width / 2, y: target.y };
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const path = isDown
    ? `M${from.x} ${from.y}C${from.x} ${middle.y} ${to.x} ${middle.y} ${to.x} ${to.y}`
    : `M${source.x + NODE.width / 2} ${source.y + 8}C${source.x + NODE.width} ${source.y + 40} ${to.x + 60} ${to.y - 30} ${to.x} ${to.y}`;
  const invalid = branch === 'onInvalid' || label === 'invalid';
  return (
    <g class={`edge${invalid ? ' invalid' : ''}`}>
      <path d={path} marker-end="url(#arrow)" />
      <text x={middle.x} y={middle.y + 4}>
        {cut(plainText(label, 40))}
      </text>
    </g>
  );
}
