/** A picture of the steps of a mode, drawn from every move that its model knows. */
import { type Move, RESOLVED } from './moves.js';

export interface Drawn {
  /** The rule without which these moves are not there; empty: they always are. */
  readonly only: string;
  readonly moves: Iterable<Move>;
}

/** From one step to another, by which types, of which outcomes. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly labels: Map<string, Label>;
}

interface Label {
  readonly only: string;
  readonly outcomes: Set<boolean>;
}

/**
 * `drawn`: the moves under the default policy first, then those under others, of which only what is new is drawn. `types`:
 * the order in which labels name them.
 */
export function picture(
  initial: string,
  drawn: readonly Drawn[],
  {
    ends = [RESOLVED],
    types = [],
  }: { readonly ends?: readonly string[]; readonly types?: readonly string[] } = {},
): string {
  const edges = new Map<string, Edge>();
  for (const { only, moves } of drawn)
    for (const { type, from, to, positive } of moves) {
      // A cancel of what is over changes nothing.
      if (to === undefined || ends.includes(from)) continue;
      const edge = edges.get(`${from} ${to}`) ?? { from, to, labels: new Map() };
      edges.set(`${from} ${to}`, edge);
      const label = edge.labels.get(type) ?? { only, outcomes: new Set() };
      edge.labels.set(type, label);
      if (positive !== undefined && label.only === only) label.outcomes.add(positive);
    }
  const order = stepsOf(initial, [...edges.values()]);
  const placed = [...edges.values()].toSorted(
    (a, b) => order.indexOf(a.from) - order.indexOf(b.from) || order.indexOf(a.to) - order.indexOf(b.to),
  );
  // What changes no step stands inside it: arrows from a step to itself lie upon the others.
  const within = placed
    .filter(({ from, to }) => from === to)
    .flatMap(({ from, labels }) => [`${from}: ${from}`, `${from}: ${worded([...labels], types)}`]);
  const arrows = placed
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, labels }) => `${from} --> ${to}: ${worded([...labels], types)}`);
  const ended = ends.filter((end) => order.includes(end)).map((end) => `${end} --> [*]`);
  const lines = [...within, `[*] --> ${initial}: SessionStart`, ...arrows, ...ended];
  return ['stateDiagram-v2', ...lines.map((line) => `    ${line}`)].join('\n');
}

/** In the order in which they are reached. */
function stepsOf(initial: string, edges: readonly Edge[]): readonly string[] {
  const steps = [initial];
  for (const step of steps)
    for (const { from, to } of edges) if (from === step && !steps.includes(to)) steps.push(to);
  return steps;
}

/** `TaskUpdate, TaskReject (only with this rule)`. */
function worded(labels: readonly (readonly [string, Label])[], types: readonly string[]): string {
  const place = (type: string) => (types.includes(type) ? types.indexOf(type) : types.length);
  const placed = labels.toSorted(([a], [b]) => place(a) - place(b));
  return [...new Set(placed.map(([, { only }]) => only))]
    .map((rule) => {
      const named = placed
        .filter(([, { only }]) => only === rule)
        .map(([type, label]) => type + outcomeOf(label));
      return named.join(', ') + (rule === '' ? '' : ` (${rule})`);
    })
    .join(', ');
}

function outcomeOf({ outcomes }: Label): string {
  if (outcomes.size !== 1) return '';
  return outcomes.has(true) ? ' positive' : ' negative';
}
