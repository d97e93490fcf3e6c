/** What a picture of a process shows, and what its words name: steps, joins, and the edges between them. */
import type { GraphEdge } from '@handover/evm';
import type { Graph } from '../model/record.js';

export interface Part {
  readonly id: string;
  /** One line, or more. */
  readonly label: string;
  readonly isJoin: boolean;
  readonly isEntry: boolean;
}

export interface Arrow extends GraphEdge {
  readonly source: Part;
  readonly target: Part;
}

export const isLoop = ({ from, to }: GraphEdge): boolean => from === to;

export interface Parts {
  readonly parts: readonly Part[];
  readonly arrows: readonly Arrow[];
}

export function partsOf({ nodes, joins, edges }: Graph): Parts {
  // What leads to itself only can still be where it begins.
  const entered = new Set(edges.filter((edge) => !isLoop(edge)).map(({ to }) => to));
  const parts: readonly Part[] = [
    ...nodes.map(({ id, label }) => ({ id, label, isJoin: false, isEntry: !entered.has(id) })),
    ...joins.map(({ id, mode, joinId }) => ({
      id,
      label: `join: ${mode}\n${joinId}`,
      isJoin: true,
      isEntry: false,
    })),
  ];
  const byId = new Map(parts.map((part) => [part.id, part]));
  const arrows = edges.flatMap((edge) => {
    const source = byId.get(edge.from);
    const target = byId.get(edge.to);
    return source && target ? [{ ...edge, source, target }] : [];
  });
  return { parts, arrows };
}
