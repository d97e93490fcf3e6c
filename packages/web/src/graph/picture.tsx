import { plainText } from '../format/plain-text.js';
import { type Drawn, type Picture as Layout, MAX_LABEL, NODE, type Placed } from './layout.js';

export function Picture({ picture }: { readonly picture: Layout }) {
  const { parts, arrows, width, height } = picture;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-labelledby="graph-title"
    >
      <title id="graph-title">{title(parts)}</title>
      <ArrowHead />
      {arrows.map((arrow, index) => (
        <Line key={`${arrow.from}/${arrow.to}/${index}`} arrow={arrow} />
      ))}
      {parts.map((part) => (
        <Box key={part.id} part={part} />
      ))}
    </svg>
  );
}

function title(parts: readonly Placed[]): string {
  const joins = parts.filter(({ isJoin }) => isJoin).length;
  const steps = `Process with ${parts.length - joins} steps`;
  return joins === 0 ? steps : `${steps} and ${joins} ${joins === 1 ? 'join' : 'joins'}`;
}

function ArrowHead() {
  return (
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path class="arrow" d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
  );
}

const cut = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

function Box({ part }: { readonly part: Placed }) {
  const lines = part.lines.map((line) => plainText(line, 60));
  const [first = '', second] = lines;
  const { x, y, isJoin, isEntry } = part;
  return (
    <g class={`node${isJoin ? ' join' : ''}${isEntry ? ' entry' : ''}`}>
      <title>{lines.join('\n')}</title>
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

function Line({ arrow: { path, labelAt, branch, label } }: { readonly arrow: Drawn }) {
  const invalid = branch === 'onInvalid' || label === 'invalid';
  return (
    <g class={`edge${invalid ? ' invalid' : ''}${branch === 'join' ? ' joining' : ''}`}>
      <path d={path} marker-end="url(#arrow)" />
      <text x={labelAt.x} y={labelAt.y}>
        {cut(plainText(label, 40))}
      </text>
    </g>
  );
}
