/**
 * Places the nodes of a process in rows from top to bottom. Pure: same graph, same picture.
 *
 * A node stands one row below the lowest of its predecessors; edges that close a circle are left out of that rule.
 * Within a row, nodes are ordered by where their predecessors stand.
 */
import type { Graph, GraphEdge } from '../model/record.js';

export interface Placed {
  readonly id: string;
  readonly label: string;
  readonly isJoin: boolean;
  readonly isEntry: boolean;
  readonly x: number;
  readonly y: number;
}

export interface Picture {
  readonly nodes: readonly Placed[];
  readonly edges: readonly (GraphEdge & { readonly source: Placed; readonly target: Placed })[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 148, height: 44 } as const;
const GAP = { x: 28, y: 62 } as const;
const MARGIN = 16;

export function layout({ nodes, edges }: Graph): Picture {
  const ids = new Set(nodes.map(({ id }) => id));
  const inside = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const rows = toRows(rowOf([...ids], forward([...ids], inside)), inside);
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const width = widest * (NODE.width + GAP.x) - GAP.x + 2 * MARGIN;
  const placed = new Map<string, Placed>();
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const entered = new Set(inside.filter(({ from, to }) => from !== to).map(({ to }) => to));
  rows.forEach((row, level) => {
    const rowWidth = row.length * (NODE.width + GAP.x) - GAP.x;
    row.forEach((id, place) => {
      const x = (width - rowWidth) / 2 + place * (NODE.width + GAP.x) + NODE.width / 2;
      const y = MARGIN + level * (NODE.height + GAP.y) + NODE.height / 2;
      placed.set(id, {
        id,
        label: labels.get(id) ?? id,
        isJoin: id.startsWith('__join_'),
        isEntry: !entered.has(id),
        x,
        y,
      });
    });
  });
  const drawn = inside.flatMap((edge) => {
    const source = placed.get(edge.from);
    const target = placed.get(edge.to);
    return source && target ? [{ ...edge, source, target }] : [];
  });
  const height = rows.length * (NODE.height + GAP.y) - GAP.y + 2 * MARGIN;
  return {
    nodes: [...placed.values()],
    edges: drawn,
    width,
    height: Math.max(height, NODE.height + 2 * MARGIN),
  };
}

/** Without the edges that lead back to a node on the way to them. */
function forward(ids: readonly string[], edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const kept: GraphEdge[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (id: string) => {
    state.set(id, 'open');
    for (const edge of edges) {
      if (edge.from !== id || state.get(edge.to) === 'open') continue;
      kept.push(edge);
      if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(id, 'done');
  };
  for (const id of ids) if (!state.has(id)) visit(id);
  return kept;
}

function rowOf(ids: readonly string[], edges: readonly GraphEdge[]): ReadonlyMap<string, number> {
  const row = new Map(ids.map((id) => [id, 0]));
  // Longest path; a graph without circles settles in as many rounds as it has nodes.
  for (let changed = true, round = 0; changed && round <= ids.length; round += 1) {
    changed = false;
    for (const { from, to } of edges) {
      const below = (row.get(from) ?? 0) + 1;
      if (below <= (row.get(to) ?? 0)) continue;
      row.set(to, below);
      changed = true;
    }
  }
  return row;
}

function toRows(
  row: ReadonlyMap<string, number>,
  edges: readonly GraphEdge[],
): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const [id, level] of row) {
    while (rows.length <= level) rows.push([]);
    rows[level]?.push(id);
  }
  const centre = new Map<string, number>();
  for (const ids of rows) {
    const weight = new Map(
      ids.map((id, place) => [id, meanOf(id, edges, centre) ?? place / Math.max(1, ids.length)]),
    );
    ids.sort((one, other) => (weight.get(one) ?? 0) - (weight.get(other) ?? 0));
    ids.forEach((id, place) => {
      centre.set(id, (place + 0.5) / ids.length);
    });
  }
  return rows;
}

function meanOf(
  id: string,
  edges: readonly GraphEdge[],
  centre: ReadonlyMap<string, number>,
): number | undefined {
  const above = edges.flatMap(({ from, to }) => (to === id && from !== id ? (centre.get(from) ?? []) : []));
  if (above.length === 0) return undefined;
  return above.reduce((sum, one) => sum + one, 0) / above.length;
}
